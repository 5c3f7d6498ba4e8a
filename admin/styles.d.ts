/** A style sheet of a package, as text for emotion, which adds the nonce. */
declare module "*.css" {
  const text: string;
  export default text;
}
