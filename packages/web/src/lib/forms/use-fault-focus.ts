import { type RefObject, useEffect, useState } from 'react'

/** A field with a fault, or the first control of a group with one. */
const FAULTY = '[aria-invalid="true"], [data-error] :is(input, select, textarea, button)'

/**
 * Moves the focus to the first field with a fault when the server reports faults. The returned
 * function does the same for faults that the form itself finds.
 */
export const useFaultFocus = (
  form: RefObject<HTMLElement | null>,
  serverFaults: Partial<Record<string, string>>,
): (() => void) => {
  const [attempts, setAttempts] = useState(0)
  const hasServerFaults = Object.keys(serverFaults).length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each attempt, once its errors are shown
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(FAULTY)?.focus()
  }, [attempts, hasServerFaults])
  return () => setAttempts((count) => count + 1)
}
