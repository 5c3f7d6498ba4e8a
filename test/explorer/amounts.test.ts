import { amountFault, amountIn, textForms } from "../../src/explorer/client/inputs/texts";

const { decimal } = textForms;

test("12,50 is an amount where a language writes so, and 1,234 is none anywhere", () => {
  expect(amountIn("12,50", "de")).toBe("12.50");
  expect(amountIn(" -0,5 ", "fr")).toBe("-0.5");
  expect(amountIn("12.50", "de")).toBe("12.50");
  expect(amountIn("12,50", "en")).toBe("12,50");
  expect(amountIn("1.234,50", "de")).toBe("1.234,50");
  for (const language of ["de", "en"]) expect(amountIn("1,234", language)).toBe("1,234");
  expect(decimal.faultOf("1,234")).toBe("1,234 may be read in two ways. Write 1234, or 1.23.");
});

test("1.230 may be read in two ways where a language writes 12,50, and stays what the service refuses", () => {
  expect(amountIn("1.230", "de")).toBe("1.230");
  expect(amountFault("1.230", "de")).toBe("1.230 may be read in two ways. Write 1230, or 1.23.");
  expect(amountFault("-12.500", "fr")).toBe(
    "-12.500 may be read in two ways. Write -12500, or -12.50.",
  );
  for (const text of ["12.50", "1230", "0.500", "1234.560"]) {
    expect(amountFault(text, "de")).toBeUndefined();
  }
  expect(amountFault("1.230", "en")).toBeUndefined();
});
