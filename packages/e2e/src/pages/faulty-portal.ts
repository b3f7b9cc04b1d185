import type { Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Visitor } from '../browser/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'
import { type Demo, startDemo } from '../services/demo.ts'
import { type FaultyProvider, startFaultyProvider } from '../services/faulty-provider.ts'
import { createFakeClockReaders, type Readers } from './readers.ts'

interface Viewing {
  provider: FaultyProvider
  demo: Demo
  readers: Readers
  /** The default reader, on the desktop. */
  visitor: Visitor
  page: Page
  client: Awaited<ReturnType<typeof signedInClient>>
}

export const minute = 60_000
/** Patterns of the provider's calls, to make them fail one by one. */
export const generateToken = /GenerateToken/
export const embedPage = /GET \/reportEmbed/
export const definition = /GET \/embed-api\/reports\//
export const data = /POST \/embed-api\/reports\/.*\/data/

/** Sets up a journey file: a demo whose report service is behind a proxy that fails on request. */
export const faultyPortal = (ready: (viewing: Viewing) => void) => {
  let stop = async () => {}
  let client: Viewing['client']
  beforeAll(async () => {
    const provider = await startFaultyProvider()
    stop = provider.stop
    const settings = { ...provider.settings, REPORTS_TOKEN_SECONDS: '600', SESSION_IDLE_MINUTES: '1000' }
    const demo = await startDemo(settings, inject('demoData'))
    const readers = createFakeClockReaders(demo.portal)
    stop = async () => {
      try {
        await readers.close()
      } finally {
        await demo.stop()
        await provider.stop()
      }
    }
    client = await signedInClient(demo.portal, people.admin)
    const visitor = await readers.on('desktop')
    ready({ provider, demo, readers, visitor, page: visitor.page, client })
  }, 180_000)
  afterAll(() => stop())

  return {
    /** 'Sinistralidade' has a token per viewer; other reports share one among openings. */
    reportNamed: async (name = 'Sinistralidade') => {
      const report = reportsOf(await client.menu()).find((candidate) => candidate.name === name)
      if (!report) throw new Error(`the demo has no report named ${name}`)
      return report
    },
  }
}

export const retryButton = (page: Page) => page.getByRole('button', { name: 'Tentar novamente' })
