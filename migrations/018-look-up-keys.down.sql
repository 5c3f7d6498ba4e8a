DROP FUNCTION key_is_used(text);
