// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** A range of IP addresses with a common prefix, such as {@code 10.0.0.0/8} or {@code ::1}. Never uses DNS. */
public final class AddressRange {
    private static final int CLIENT_BITS_OF_IPV6 = 64;
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})";
    private static final Pattern FOUR = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private final byte[] network;
    private final int bits;
    private final String text;

    private AddressRange(byte[] network, int bits, String text) {
        this.network = network;
        this.bits = bits;
        this.text = text;
    }

    /** Parses a range. Returns empty if the text is not one. */
    static Optional<AddressRange> of(String text) {
        int slash = text.indexOf('/');
        Optional<byte[]> network = bytes(slash < 0 ? text : text.substring(0, slash));
        if (network.isEmpty()) {
            return Optional.empty();
        }
        int all = network.get().length * Byte.SIZE;
        String length = slash < 0 ? Integer.toString(all) : text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > all) {
            return Optional.empty();
        }
        return Optional.of(new AddressRange(network.get(), Integer.parseInt(length), text));
    }

    /** Returns whether the range contains all addresses. */
    boolean containsAll() {
        return bits == 0;
    }

    /** Returns whether the range contains this address. Text that is not an address is in no range. */
    public boolean contains(String address) {
        return bytes(address)
                .filter(bytes -> bytes.length == network.length && hasPrefix(bytes))
                .isPresent();
    }

    private boolean hasPrefix(byte[] address) {
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >> (i % Byte.SIZE);
            if ((address[i / Byte.SIZE] & mask) != (network[i / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the address without port and zone; empty if the text is not an address. */
    public static Optional<String> literal(String text) {
        String address = text;
        if (address.startsWith("[") && address.indexOf(']') > 0) {
            address = address.substring(1, address.indexOf(']'));
        } else if (address.indexOf(':') == address.lastIndexOf(':') && address.indexOf(':') > 0) {
            address = address.substring(0, address.indexOf(':'));
        }
        String plain = address;
        return bytes(plain).map(bytes -> plain);
    }

    /** Returns the identity of a client: its IPv4 address, or the /64 network of its IPv6 address. */
    public static String client(String address) {
        byte[] bytes = bytes(address).orElse(null);
        if (bytes == null || bytes.length == 4) {
            return address;
        }
        for (int i = CLIENT_BITS_OF_IPV6 / Byte.SIZE; i < bytes.length; i++) {
            bytes[i] = 0;
        }
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("A byte array of length 16 must be a valid address", e);
        }
    }

    /** Parses literal addresses only. Java would look up anything else in DNS, including 256.1.1.1. */
    private static Optional<byte[]> bytes(String text) {
        int zone = text.indexOf('%');
        String address = zone < 0 ? text : text.substring(0, zone);
        boolean four = FOUR.matcher(address).matches();
        boolean six = address.length() <= 45 && address.indexOf(':') >= 0 && address.matches("[0-9A-Fa-f:.]+");
        if (!four && !six) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(address).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
