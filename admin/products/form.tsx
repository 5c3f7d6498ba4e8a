import { BooleanInput, required, TextInput } from "react-admin";
import { useFormContext } from "react-hook-form";
import { CategoryInput, PriceInput } from "../parts/fields";

interface Props {
  /** A new product: its address follows its name until it is typed. */
  readonly isNew?: boolean;
}

/** The fields of a product. The price comes first where there is one, as it is what changes most. */
export function ProductFields({ isNew = false }: Props) {
  const name = isNew ? (
    <NameInput />
  ) : (
    <TextInput source="name" validate={required()} helperText={false} />
  );
  return (
    <>
      {isNew && name}
      <PriceInput source="price" autoFocus={!isNew} />
      {!isNew && name}
      <CategoryInput source="categoryId" />
      <BooleanInput source="isActive" helperText={false} />
      <TextInput source="slug" helperText={false} />
      <TextInput source="description" multiline minRows={3} helperText={false} />
    </>
  );
}

/** The name of something new, from which its address is made. */
export function NameInput() {
  const { setValue, getFieldState, formState } = useFormContext();
  return (
    <TextInput
      source="name"
      autoFocus
      validate={required()}
      helperText={false}
      onChange={(event: { target: { value: string } }) => {
        if (!getFieldState("slug", formState).isTouched)
          setValue("slug", slugOf(event.target.value));
      }}
    />
  );
}

/** The address that a name makes; empty where the service has to transliterate it. */
const slugOf = (name: string): string => {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const isLatin = /^[\x20-\x7e]*$/.test(plain);
  return isLatin
    ? plain
        .replace(/[^a-z0-9]+/g, " ")
        .trim()
        .replaceAll(" ", "-")
        .slice(0, 120)
    : "";
};
