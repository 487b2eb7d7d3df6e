// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.redact;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of sensitive members. Upper and lower case, underscores and hyphens are ignored.
 *
 * <p>A name is sensitive if it equals one of these:
 *
 * <ul>
 *   <li>credentials: {@code auth}, {@code authorization}, {@code bearer}, {@code cookie}, {@code set_cookie},
 *       {@code credential}, {@code credentials}, {@code csrf}, {@code jwt}, {@code pwd}, {@code passcode}, {@code pin},
 *       {@code pin_code}, {@code session}, {@code session_id}, {@code signature}, {@code access_key},
 *       {@code signing_key}, {@code encryption_key}, {@code otp}, {@code totp}, {@code mfa_code},
 *       {@code verification_code}, {@code tokens}, {@code secrets}, {@code passwords}, {@code api_keys}
 *   <li>cards: {@code card}, {@code card_number}, {@code card_no}, {@code credit_card}, {@code credit_card_number},
 *       {@code cc_number}, {@code pan}, {@code cvc}, {@code cvc2}, {@code cvv}, {@code cvv2}, {@code security_code},
 *       {@code track1}, {@code track2}
 *   <li>accounts and people: {@code iban}, {@code account_number}, {@code bank_account}, {@code routing_number},
 *       {@code ssn}, {@code social_security_number}, {@code national_id}, {@code passport}, {@code passport_number},
 *       {@code tax_id}
 * </ul>
 *
 * <p>or if it <em>ends</em> with one of these: {@code password}, {@code passwd}, {@code passphrase}, {@code secret},
 * {@code token}, {@code api_key}, {@code private_key}, {@code secret_key}, {@code secret_access_key},
 * {@code authorization}. {@code stripe_api_key} and {@code X-Auth-Token} are sensitive, {@code total_tokens} is not.
 *
 * <p>A member holds a phone number if its name is {@code phones}, {@code phone_numbers}, {@code tel}, {@code cell},
 * {@code fax}, {@code fax_number}, {@code wa_id}, {@code whatsapp}, {@code whatsapp_number}, {@code contact_number},
 * {@code caller_id}, or ends with {@code phone}, {@code phone_number}, {@code phone_no}, {@code mobile},
 * {@code mobile_number}, {@code mobile_no}, {@code msisdn} or {@code telephone}.
 *
 * <p>A member may hold a phone number or another value if its name is {@code from}, {@code to},
 * {@code recipient_id}, {@code party_id}, {@code caller} or {@code callee}.
 */
public final class SensitiveNames {
    /** The names listed above. */
    public static final SensitiveNames DEFAULT = new SensitiveNames(words("""
                    auth authorization bearer cookie set_cookie credential credentials csrf jwt pwd passcode pin pin_code
                    session session_id signature access_key signing_key encryption_key otp totp mfa_code
                    verification_code tokens secrets passwords api_keys
                    card card_number card_no credit_card credit_card_number cc_number pan cvc cvc2 cvv cvv2
                    security_code track1 track2
                    iban account_number bank_account routing_number ssn social_security_number national_id passport
                    passport_number tax_id"""), words("""
                    password passwd passphrase secret token api_key private_key secret_key secret_access_key
                    authorization"""));

    private static final Set<String> PHONES = words("""
            phones phone_numbers tel cell fax fax_number wa_id whatsapp whatsapp_number contact_number caller_id""");
    private static final Set<String> PHONE_ENDINGS = words("""
            phone phone_number phone_no mobile mobile_number mobile_no msisdn telephone""");
    private static final Set<String> PERHAPS_PHONES = words("from to recipient_id party_id caller callee");

    private final Set<String> names;
    private final Set<String> endings;

    private SensitiveNames(Set<String> names, Set<String> endings) {
        this.names = names;
        this.endings = endings;
    }

    /** These names and additional names of an application. */
    public SensitiveNames and(String... more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(MemberName.normal(List.of(more)));
        return new SensitiveNames(Set.copyOf(all), endings);
    }

    /** Whether a member of this name must not be stored. */
    public boolean isSensitive(String name) {
        String normal = MemberName.normal(name);
        return names.contains(normal) || MemberName.endsWithAny(normal, endings);
    }

    /** Whether a member of this name holds a phone number. */
    public boolean isPhone(String name) {
        String normal = MemberName.normal(name);
        return PHONES.contains(normal) || MemberName.endsWithAny(normal, PHONE_ENDINGS);
    }

    /** Whether a member of this name may hold a phone number or another value. */
    public boolean mayBePhone(String name) {
        return PERHAPS_PHONES.contains(MemberName.normal(name));
    }

    private static Set<String> words(String list) {
        return MemberName.normal(List.of(list.strip().split("\\s+")));
    }
}
