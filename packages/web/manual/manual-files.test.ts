import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addressOf, isManualFile } from './manual-files.ts'

const docs = join(import.meta.dirname, '../../../docs')

test('the plugin gives each page an address of its own, also those outside of docs/manual', () => {
  const files = [docs, join(docs, 'manual')]
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter(isManualFile)
  const addresses = files.map(addressOf)
  expect(addresses).toContain('/ajuda/relatorios')
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
})
