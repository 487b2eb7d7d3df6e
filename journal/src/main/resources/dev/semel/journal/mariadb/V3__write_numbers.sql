-- Events and calls get an id if the writer gives none. (On PostgreSQL this version also changes the order of writing; here the
-- positions are that order already.)
-- To undo: ALTER TABLE events ALTER COLUMN id DROP DEFAULT; ALTER TABLE calls ALTER COLUMN id DROP DEFAULT;
ALTER TABLE events ALTER COLUMN id SET DEFAULT (uuid());

ALTER TABLE calls ALTER COLUMN id SET DEFAULT (uuid());
