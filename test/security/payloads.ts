/** Texts that mean something to a database, a template, a shell, a browser or HTTP. */
export const hostileTexts: readonly string[] = [
  ...["'", "\\'", "';--", "' OR '1'='1", '" OR ""="', "') OR ('1'='1", "1 OR 1=1"],
  ...["'; UPDATE admins SET role='ADMIN'; --", "x' UNION SELECT password_hash FROM admins--"],
  ...["'||(SELECT password_hash FROM admins LIMIT 1)||'", "$1", "$$;DROP TABLE orders;$$"],
  ...[":email", "?", "%", "_", "\\", "E'\\x27'", "/**/", "\u02bc OR 1=1--"],
  // Operators of query builders and document stores, as text, and names that objects have by themselves
  ...['{"$gt":""}', '{"[Op.ne]":1}', "[$ne]=1", "__proto__", "constructor", "toString"],
  // Templates, shells and paths
  ...["{{7*7}}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "$(id)", "`id`", "|id", "; cat /etc/passwd"],
  ...["../../../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "http://127.0.0.1:1/"],
  // Browsers and spreadsheets
  ...["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=cmd|' /C calc'!A0"],
  // HTTP and text
  ...["x\r\nSet-Cookie: a=b", "x\r\n\r\n<html>", "x\nlevel: error", "\u2028\u2029", "\u202etxt"],
  ...["\ufeff", "%00", "%0d%0a", "\u001b[31m", "🍵", "İ", "ﬀ", "a".repeat(6000)],
];

/** Texts that PostgreSQL can't store as they are. */
export const unstorableTexts: readonly string[] = ["\0", "a\0b", "\ud800", "\udc00x"];

/** JSON in place of text, a number or a flag: operators, prototypes, other types. */
export const hostileJson: readonly string[] = [
  ...['{"$gt":""}', '{"$in":[1,2]}', '{"$regex":".*"}', '{"[Op.ne]":1}', '{"ne":1}'],
  ...['{"val":"1=1"}', '{"col":"password_hash"}', '{"fn":"now","args":[]}'],
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
  ...['{"toString":"x"}', '{"toJSON":"x"}', '{"length":1}', '{"then":1}', '["1"]', "[[1]]", "[]"],
  ...["{}", "null", "true", "-1", "1.5", "1e308", "-0", "99999999999999999999"],
];
