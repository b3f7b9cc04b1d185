import { looks, type Size, type Visitor, visit } from '../browser/visitor.ts'
import { type Person, people } from '../people/people.ts'

export type Readers = ReturnType<typeof createFakeClockReaders>

/** Signed-in readers with a fake browser clock; one per size is shared by a file. */
export const createFakeClockReaders = (portal: string) => {
  const shared: Partial<Record<Size, Visitor>> = {}

  const enter = async (size: Size, person: Person = people.admin): Promise<Visitor> => {
    const look = looks.find((one) => one.size === size)
    const visitor = await visit({ portal, ...look })
    // Console errors that the faults themselves cause.
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
    /** Fails if a browser reported any other error. */
    close: async (): Promise<void> => {
      for (const reader of Object.values(shared)) await reader.close()
    },
  }
}
