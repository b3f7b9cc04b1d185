import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// What a test waits for is what it is about, not how fast a machine that does other things gets there.
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => {
  cleanup()
  globalThis.localStorage?.clear()
})
