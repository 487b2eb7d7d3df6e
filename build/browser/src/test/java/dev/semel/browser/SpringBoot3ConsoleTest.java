// SPDX-License-Identifier: Apache-2.0
package dev.semel.browser;

class SpringBoot3ConsoleTest extends SpringConsoleCases {
    SpringBoot3ConsoleTest() {
        super(SecuredApplication.BOOT_3);
    }
}
