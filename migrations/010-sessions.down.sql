DROP FUNCTION end_sessions(), record_sessions() CASCADE;
DROP TABLE sessions;
