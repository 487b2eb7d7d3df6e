-- Events and calls get an id when a writer gives none. (PostgreSQL also gets another order of writing in this version;
-- here positions are that order already.)
-- Way back: ALTER TABLE events ALTER COLUMN id DROP DEFAULT; ALTER TABLE calls ALTER COLUMN id DROP DEFAULT;
ALTER TABLE events ALTER COLUMN id SET DEFAULT (uuid());

ALTER TABLE calls ALTER COLUMN id SET DEFAULT (uuid());
