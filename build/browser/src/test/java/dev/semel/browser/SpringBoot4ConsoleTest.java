// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

class SpringBoot4ConsoleTest extends SpringConsoleCases {
    SpringBoot4ConsoleTest() {
        super(SecuredApplication.BOOT_4);
    }
}
