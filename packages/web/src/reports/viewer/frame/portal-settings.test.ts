import { expect, test } from 'vitest'
import { embedPageOf } from './portal-settings.ts'

const china = 'https://app.powerbi.cn'

test.each([
  [
    'the local service',
    { origemEmbed: 'http://localhost:3001', origemMicrosoft: china },
    'http://localhost:3001',
  ],
  [
    "Microsoft's selected cloud without a local service",
    { origemEmbed: null, origemMicrosoft: china },
    china,
  ],
  ['the global cloud for a portal of the previous version', { origemEmbed: null }, 'https://app.powerbi.com'],
])('reports are shown in the page of %s', (_, settings, origin) => {
  expect(embedPageOf(settings).href).toBe(`${origin}/reportEmbed`)
})
