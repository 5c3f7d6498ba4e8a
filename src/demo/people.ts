/** Customers of the demonstration, at domains that are reserved for examples (RFC 2606). */
export const demoCustomers: readonly string[] = [
  "ada.lindqvist@example.com",
  "amara.okafor@example.org",
  "anna.kowalska@example.com",
  "beatriz.silva@example.com",
  "ben.hartley@example.net",
  "camille.dubois@example.org",
  "chen.wei@example.com",
  "clara.vogel@example.org",
  "daniel.osei@example.com",
  "elena.petrova@example.net",
  "emre.yilmaz@example.com",
  "fatima.zahra@example.org",
  "finn.gallagher@example.com",
  "giulia.romano@example.com",
  "hannah.weiss@example.org",
  "hiroshi.tanaka@example.com",
  "ines.moreno@example.net",
  "jakub.novak@example.com",
  "joao.pereira@example.org",
  "kavya.nair@example.com",
  "lars.eriksen@example.org",
  "leila.haddad@example.com",
  "lucas.bernard@example.com",
  "mai.nguyen@example.org",
  "marta.jimenez@example.com",
  "mikko.virtanen@example.net",
  "nora.byrne@example.com",
  "olga.ivanova@example.org",
  "pooja.sharma@example.com",
  "rafael.costa@example.com",
  "rosa.delgado@example.org",
  "samuel.mensah@example.com",
  "sofie.jansen@example.net",
  "thomas.keller@example.com",
  "yara.santos@example.org",
  "zoe.papadaki@example.com",
];

/** Names that generated customers are made of. */
export const firstNames: readonly string[] = (
  "ada alex amara anna ben camille carlos chen clara daniel elena emre fatima finn giulia hannah " +
  "hiroshi ines ivan jakub joao kavya lars leila lucas mai marta mikko nora olga pooja rafael rosa " +
  "samuel sofie thomas tomas yara yuki zoe"
).split(" ");

export const lastNames: readonly string[] = (
  "andersson baker bernard byrne costa dubois eriksen fischer gallagher haddad hartley ivanova jansen " +
  "jimenez keller kim kowalska lindqvist mensah moreno nair nguyen novak okafor osei papadaki pereira " +
  "petrova romano santos sharma silva tanaka virtanen vogel wei weiss yilmaz young zhang"
).split(" ");
