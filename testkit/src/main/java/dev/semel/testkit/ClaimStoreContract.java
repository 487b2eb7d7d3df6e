// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What every store must do. A store proves itself by a test class that extends this one, says where the store is, and
 * does nothing else; JUnit finds the groups of tests below by inheritance.
 *
 * <pre>{@code
 * class MyClaimStoreContractTest extends ClaimStoreContract {
 *     private static final MyClaimStore FIRST = new MyClaimStore(pool("first"));
 *     private static final MyClaimStore SECOND = new MyClaimStore(pool("second"));
 *
 *     protected ClaimStore store() { return FIRST; }
 *     protected ClaimStore secondStore() { return SECOND; }
 *     protected ClaimBrowser browser() { return FIRST; }
 *     protected CacheEpoch epoch() { return FIRST; }
 *     protected CacheEpoch secondEpoch() { return SECOND; }
 *     protected void age(ClaimRef ref, Duration by) { ... }   // UPDATE ... SET created_at = created_at - by, ...
 * }
 * }</pre>
 *
 * <p>The tests share what the store holds. Each claims for a random tenant of its own and looks at that tenant's
 * claims only, so the store need not be emptied before, between or after them. Sweeps, however, concern all tenants:
 * let nothing else use the same database meanwhile, nor run two of these contracts on it at once.
 *
 * <p>Nothing here sleeps: what takes minutes or days in life is done by {@link #age}.
 */
@ResourceLock("dev.semel.testkit.ClaimStoreContract")
public abstract class ClaimStoreContract {
    /** For subclasses. */
    protected ClaimStoreContract() {}

    /** The store; the same one or an equal one at every call. */
    protected abstract ClaimStore store();

    /**
     * Another store over the same data, as a second process would have it: with another pool of connections, and
     * sharing no lock and no cache with the first.
     */
    protected abstract ClaimStore secondStore();

    /** A way to look at what {@link #store()} holds. */
    protected abstract ClaimBrowser browser();

    /** The epoch of what {@link #store()} holds. */
    protected abstract CacheEpoch epoch();

    /** The same epoch, as a second process sees it. */
    protected abstract CacheEpoch secondEpoch();

    /**
     * Moves one claim into the past: every moment that the store keeps of it becomes so much earlier, exactly, and
     * nothing else changes. Does nothing if there is no such claim.
     */
    protected abstract void age(ClaimRef ref, Duration by);

    @Nested
    class Claiming extends ClaimingContract {
        Claiming() {
            super(ClaimStoreContract.this);
        }
    }

    /** Names are compared as bytes, whatever they look like and however long they are. */
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

    /** What is remembered of a request, to explain a mismatch. */
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

    /** What one call returns is bounded. */
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
    class Browsing extends BrowsingContract {
        Browsing() {
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
    class Epochs extends EpochContract {
        Epochs() {
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
