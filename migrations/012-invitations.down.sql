DROP TABLE invitations;
DELETE FROM admins WHERE password_hash IS NULL;
ALTER TABLE admins ALTER COLUMN password_hash SET NOT NULL;
