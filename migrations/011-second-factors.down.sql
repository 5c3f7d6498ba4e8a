DROP TABLE used_challenges, passkeys, recovery_codes, one_time_codes;
DROP FUNCTION record_second_factor, record_recovery_codes;
