import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { BrokenPage } from './broken-page.tsx'

afterEach(cleanup)

test.each([
  [new TypeError('Failed to fetch dynamically imported module: /assets/a.js'), true],
  [new TypeError('error loading dynamically imported module: /assets/a.js'), true],
  [new TypeError('Importing a module script failed.'), true],
  [new Error('Unable to preload CSS for /assets/a.css'), true],
  [new TypeError('undefined is not an object'), false],
])(
  'the broken page tells a page that was not downloaded from one that failed: %s',
  (error, notDownloaded) => {
    render(
      <MantineProvider env="test">
        <BrokenPage error={error} />
      </MantineProvider>,
    )
    expect(screen.queryByText(/não pôde ser baixada/) !== null).toBe(notDownloaded)
    expect(screen.queryByText(/erro inesperado/) === null).toBe(notDownloaded)
  },
)
