import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Generous: a test must not fail because the machine is busy.
configure({ asyncUtilTimeout: 5_000 })

// happy-dom lacks document.fonts; an autosizing textarea listens for late fonts.
if (globalThis.document && !document.fonts) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
}

afterEach(() => {
  cleanup()
  globalThis.localStorage?.clear()
})
