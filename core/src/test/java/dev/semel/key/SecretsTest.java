// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SecretsTest {
    private static final Secret OLD = Secret.of("an old secret of at least thirty-two bytes");
    private static final Secret NEW = Secret.of("a new secret of at least thirty-two bytes!");

    @Test
    void theFirstIsTheCurrentOne() {
        Secrets secrets = Secrets.of(NEW, OLD);

        assertThat(secrets.current()).isSameAs(NEW);
        assertThat(secrets.all()).containsExactly(NEW, OLD);
    }

    @Test
    void eachIsFoundByItsId() {
        Secrets secrets = Secrets.of(NEW, OLD);

        assertThat(secrets.byId(OLD.id())).containsSame(OLD);
        assertThat(secrets.byId(NEW.id())).containsSame(NEW);
        assertThat(Secrets.of(NEW).byId(OLD.id())).isEmpty();
    }

    @Test
    void theSameSecretTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secrets.of(NEW, Secret.of("a new secret of at least thirty-two bytes!")))
                .withMessageContaining("given twice")
                .withMessageContaining(NEW.id());
    }

    @Test
    void noSecretIsShown() {
        assertThat(Secrets.of(NEW, OLD).toString()).contains(NEW.id(), OLD.id()).doesNotContain("thirty-two");
    }
}
