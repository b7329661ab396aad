-- time_zone: the IANA name of the user's time zone, such as Europe/Oslo; null if unknown.
ALTER TABLE users ADD COLUMN time_zone text;
