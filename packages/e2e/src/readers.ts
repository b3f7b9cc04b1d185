import type { Browser } from 'playwright-core'
import { type Person, people } from './people.ts'
import { looks, type Size, type Visitor, visit } from './visitor.ts'

export type Readers = ReturnType<typeof createReaders>

/** People whose browser's clock the test turns, signed in; one of each size for a whole file, in which each fault loads the page anew. */
export const createReaders = (browser: Browser, portal: string) => {
  const shared: Partial<Record<Size, Visitor>> = {}

  const enter = async (size: Size, person: Person = people.admin): Promise<Visitor> => {
    const look = looks.find((one) => one.size === size)
    const visitor = await visit(browser, { portal, ...look })
    // What the faults themselves leave in the console.
    visitor.expectComplaint(/Failed to load resource|ERR_|Content Security Policy/)
    await visitor.page.clock.install()
    await visitor.enter(person, '/privacidade')
    return visitor
  }
  return {
    enter,
    on: async (size: Size): Promise<Visitor> => {
      const reader = shared[size] ?? (await enter(size))
      shared[size] = reader
      return reader
    },
    /** Fails where a browser complained of something else meanwhile. */
    close: async (): Promise<void> => {
      for (const reader of Object.values(shared)) await reader.close()
    },
  }
}
