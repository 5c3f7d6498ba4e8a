import { sign, type SignOptions } from "jsonwebtoken";

/** A token like those of the service. Any claim can be overridden; undefined leaves it out. */
export function tokenFor(
  admin: { id: number; email: string; role: string },
  secret: string,
  claims: object = {},
  options: SignOptions = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const issued = { id: admin.id, email: admin.email, role: admin.role, sub: String(admin.id) };
  const times = { iat: now, exp: now + 600, auth_time: now };
  const payload: Record<string, unknown> = { ...issued, ...times, ...claims };
  const present = Object.entries(payload).filter(([, value]) => value !== undefined);
  return sign(Object.fromEntries(present), secret, { algorithm: "HS256", ...options });
}
