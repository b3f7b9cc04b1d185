import { flushSync } from 'react-dom'

/**
 * Before each submit, gives React the values that a password manager wrote into fields without an
 * event: the forms would send what the page knew before.
 */
export const takeFilledValues = (): void =>
  document.addEventListener('submit', ({ target }) => takeValues(target), true)

type TextField = HTMLInputElement | HTMLTextAreaElement

const takeValues = (target: EventTarget | null): void => {
  if (!(target instanceof HTMLFormElement)) return
  const filled = [...target.elements].filter(isTextField).map((field) => ({ field, value: field.value }))
  for (const { field, value } of filled) {
    // Rendering for an earlier field has put the known value back into this one.
    setSilently(field, value)
    // React ignores the event of a field whose value it knows.
    flushSync(() => field.dispatchEvent(new Event('input', { bubbles: true })))
  }
}

/** Writes past React, which observes the value of each field. */
const setSilently = (field: TextField, value: string): void =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)

const isTextField = (field: Element): field is TextField =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement && /^(text|password|email|tel|url|search|number)$/.test(field.type))
