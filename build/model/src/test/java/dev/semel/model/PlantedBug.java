// SPDX-License-Identifier: Apache-2.0
package dev.semel.model;

/** The bugs that {@code Semel.tla} can be told to have, each with the invariant that finds it. */
enum PlantedBug {
    NO_TOKEN_CHECK("NoTokenCheck", "NoEffectAfterSuccess"),
    NO_SECOND_LAPSE_CHECK("NoSecondLapseCheck", "OneEffectInALease"),
    CACHE_BEFORE_COMMIT("CacheBeforeCommit", "CacheIsCommitted"),
    LOST_ALIAS("LostAlias", "NeverBothNames"),
    LAPSED_GRANT_STARTS("LapsedGrantStarts", "OneEffectInALease"),
    BLIND_RETRY("BlindRetry", "NoEffectAfterSuccess"),
    SETTLE_OVERWRITES("SettleOverwrites", "OneSuccess"),
    ABANDONED_IS_DONE("AbandonedIsDone", "ToldWhatRan"),
    NO_ANSWER_IS_YES("NoAnswerIsYes", "OneEffectInALease"),
    ANSWER_BEFORE_COMMIT("AnswerBeforeCommit", "ToldWhatIsStored"),
    TAKE_OVER_WITHOUT_TOKEN("TakeOverWithoutToken", "TokensUsedOnce"),
    FENCE_RESTARTS("FenceRestarts", "FencesGrow"),
    CACHE_OUTLIVES_CLAIM("CacheOutlivesClaim", "ToldWhatIsStored"),
    POINTER_NOT_FOLLOWED("PointerNotFollowed", "NeverBothNames"),
    EXPIRED_TAKEN_OVER("ExpiredTakenOver", "NeverBothNames"),
    COMMAND_OUTLIVES_TTL("CommandOutlivesTtl", "TokensUsedOnce");

    final String constant;
    final String invariant;

    PlantedBug(String constant, String invariant) {
        this.constant = constant;
        this.invariant = invariant;
    }

    /** As parameterized tests show it. */
    @Override
    public String toString() {
        return constant;
    }
}
