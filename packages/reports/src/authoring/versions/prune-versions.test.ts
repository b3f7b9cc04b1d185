import { expect, test } from 'vitest'
import { MAX_DATA_BYTES, MAX_DATA_ONLY, MAX_DEFINITIONS, whatToPrune } from './prune-versions.ts'
import { keptData, type Version, versionFile } from './version-files.ts'

const ID = 'e0000000-0000-4000-8000-000000000001'
const version = (number: number, isDataOnly: boolean, digest: string): Version => ({
  number,
  isDataOnly,
  at: '',
  author: '',
  origin: 'portal',
  changes: [],
  report: '{}',
  dataset: { id: ID, text: '{}', isOwn: true, files: [{ name: 'a.csv', digest, bytes: 1 }] },
})
const newestFirst = (count: number, isDataOnly: (number: number) => boolean) =>
  Array.from({ length: count }, (_, index) => count - index).map((number) =>
    version(number, isDataOnly(number), `d${number}`),
  )

test('the pruning of versions keeps the newest versions of both kinds, so that hourly data does not push out definitions', () => {
  const versions = newestFirst(100, (number) => number > MAX_DEFINITIONS + 5)
  const pruned = whatToPrune(ID, versions, { kept: new Map([['d1', 1]]), mostBytes: MAX_DATA_BYTES })
  const stays = versions.filter(({ number }) => !pruned.includes(versionFile(ID, number)))
  expect(stays.filter(({ isDataOnly }) => isDataOnly).map(({ number }) => number)).toEqual(
    Array.from({ length: MAX_DATA_ONLY }, (_, index) => 100 - index),
  )
  expect(stays.filter(({ isDataOnly }) => !isDataOnly).at(-1)?.number).toBe(6)
  expect(pruned).toContain(keptData(ID, 'd1'))
})

test('the pruning of versions keeps the data of the newest versions that fits, and deletes data without a version', () => {
  const half = MAX_DATA_BYTES / 2
  const versions = newestFirst(4, () => true)
  const kept = new Map([
    ['d3', half],
    ['d2', half],
    ['d1', 1],
    ['unknown', 1],
  ])
  const prune = (mostBytes: number) => whatToPrune(ID, versions, { kept, mostBytes }).sort()
  expect(prune(MAX_DATA_BYTES)).toEqual([keptData(ID, 'd1'), keptData(ID, 'unknown')])
  // What other reports keep may leave no room.
  expect(prune(-1)).toEqual([...kept.keys()].map((digest) => keptData(ID, digest)).sort())
})
