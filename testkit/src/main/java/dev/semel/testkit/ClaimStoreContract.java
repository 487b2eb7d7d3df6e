// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The tests that every {@link ClaimStore} must pass. A store's test class extends this one and supplies the store; JUnit
 * finds the groups below by inheritance.
 *
 * <pre>{@code
 * class MyStoreContractTest extends ClaimStoreContract {
 *     private static final MyStore FIRST = new MyStore(pool("first"));
 *     private static final MyStore SECOND = new MyStore(pool("second"));
 *
 *     @Override
 *     protected ClaimStore store() {
 *         return FIRST;
 *     }
 *
 *     @Override
 *     protected ClaimStore secondStore() {
 *         return SECOND;
 *     }
 *
 *     @Override
 *     protected void age(ClaimRef ref, Duration by) {
 *         FIRST.backdate(ref, by); // UPDATE ... SET created_at = created_at - by, ...
 *     }
 * }
 * }</pre>
 *
 * <p>A store that also implements {@code ClaimBrowser} or {@code CacheEpoch} adds {@link ClaimBrowserContract} or {@link
 * CacheEpochContract} as a nested class.
 *
 * <p>The tests share the store's data. Each uses a random tenant and looks only at that tenant's claims, so the store need
 * not be emptied. Sweeps concern all tenants: nothing else may use the same database at the same time, and two of these
 * contracts must not run on one database concurrently.
 *
 * <p>No test sleeps. {@link #age} moves claims into the past instead.
 */
@ResourceLock("dev.semel.testkit.ClaimStoreContract")
public abstract class ClaimStoreContract {
    /** For subclasses. */
    protected ClaimStoreContract() {}

    /** The store. Every call returns the same one or an equivalent one. */
    protected abstract ClaimStore store();

    /**
     * Another store over the same data, as a second process would have it: with its own connection pool, and without a
     * lock or a cache in common with the first.
     */
    protected abstract ClaimStore secondStore();

    /**
     * Moves one claim into the past: every moment that the store keeps of it becomes earlier by exactly this duration, and
     * nothing else changes. Does nothing if the claim does not exist.
     */
    protected abstract void age(ClaimRef ref, Duration by);

    /**
     * How exactly the store knows the time. Two instances of the store may differ by this much in what is left of a lease, and it
     * may take this much longer until a lease counts as over. Zero for a store that asks one clock.
     */
    protected Duration clockMargin() {
        return Duration.ZERO;
    }

    @Nested
    class Claiming extends ClaimingContract {
        Claiming() {
            super(ClaimStoreContract.this);
        }
    }

    /** Keys are compared as bytes, regardless of how they look and how long they are. */
    @Nested
    class Naming extends NamingContract {
        Naming() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class TakingOver extends TakingOverContract {
        TakingOver() {
            super(ClaimStoreContract.this);
        }
    }

    /** The stored sketch of a request, which explains a mismatch. */
    @Nested
    class Sketching extends SketchingContract {
        Sketching() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Settling extends SettlingContract {
        Settling() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class LargeResults extends LargeResultsContract {
        LargeResults() {
            super(ClaimStoreContract.this);
        }
    }

    /** The results that one call returns are limited. */
    @Nested
    class ManyResults extends ManyResultsContract {
        ManyResults() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Expiring extends ExpiringContract {
        Expiring() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Renewing extends RenewingContract {
        Renewing() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class GivingBack extends GivingBackContract {
        GivingBack() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Reading extends ReadingContract {
        Reading() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Batches extends BatchesContract {
        Batches() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Sweeping extends SweepingContract {
        Sweeping() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class SweepingRaces extends SweepingRacesContract {
        SweepingRaces() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Aliasing extends AliasingContract {
        Aliasing() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class LapsedAliases extends LapsedAliasesContract {
        LapsedAliases() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class ContendedAliases extends ContendedAliasesContract {
        ContendedAliases() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Rotating extends RotatingContract {
        Rotating() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(ClaimStoreContract.this);
        }
    }

    @Nested
    class ModelAgreement extends ModelAgreementContract {
        ModelAgreement() {
            super(ClaimStoreContract.this);
        }
    }
}
