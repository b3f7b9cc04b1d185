import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// What a test waits for is what it is about, not how fast a machine that does other things gets there.
configure({ asyncUtilTimeout: 5_000 })

// happy-dom has none; a growing text area listens for fonts that arrive late.
if (globalThis.document && !document.fonts) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
}

afterEach(() => {
  cleanup()
  globalThis.localStorage?.clear()
})
