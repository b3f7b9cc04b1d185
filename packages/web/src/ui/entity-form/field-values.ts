/** A form's values by field: texts, booleans, options (or null), lists of options. */
export type FieldValues = object

/**
 * The request body `B` with each of its fields, also the optional ones: a form that forgets to send
 * a field does not compile. A value of undefined is not sent.
 */
export type WholeBody<B> = { [F in keyof Required<B>]: B[F] }

/** Returns whether a field counts as empty. The form treats a null of a secret field separately. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Compares options by value: a renamed entity is still the same choice. */
export const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(coreOf(a)) === JSON.stringify(coreOf(b))

/** Returns a field's value in words, to compare two states of an entity. */
export const valueText = (value: unknown): string => {
  if (isEmpty(value)) return '(vazio)'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return hasLabel(value) ? value.label : String(value)
}

const coreOf = (value: unknown): unknown => {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(coreOf)
  return hasLabel(value) ? value.value : (value ?? null)
}

const hasLabel = (value: unknown): value is { value: unknown; label: string } =>
  typeof value === 'object' && value !== null && 'value' in value && 'label' in value
