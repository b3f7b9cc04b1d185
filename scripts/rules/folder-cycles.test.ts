import { describe, expect, test } from 'vitest'
import { folderCycles } from './folder-cycles.ts'

const cyclesOf = (files: Record<string, string[]>) =>
  folderCycles(new Map(Object.entries(files).map(([file, imported]) => [file, new Set(imported)])))

describe('folderCycles', () => {
  test('folderCycles accepts folders that import in one direction', () => {
    expect(cyclesOf({ 'a/one.ts': ['b/two.ts', 'a/b/three.ts'], 'b/two.ts': ['c/four.ts'] })).toEqual([])
  })

  test('folderCycles names the folders and the imports of a cycle between files that are in none', () => {
    const files = { 'a/one.ts': ['b/two.ts'], 'b/three.ts': ['c/four.ts'], 'c/five.ts': ['a/six.ts'] }
    expect(cyclesOf(files)).toEqual([
      [
        'Import cycle of folders: a → b → c → a',
        '  a/one.ts imports b/two.ts',
        '  b/three.ts imports c/four.ts',
        '  c/five.ts imports a/six.ts',
      ].join('\n'),
    ])
  })

  test('folderCycles counts a folder and its own subfolder', () => {
    expect(cyclesOf({ 'a/one.ts': ['a/b/two.ts'], 'a/b/two.ts': ['a/three.ts'] })).toHaveLength(1)
  })

  test('folderCycles takes the index.ts of an area for its door, which the area does not import', () => {
    const door = { 'a/index.ts': ['a/b/one.ts'], 'a/b/one.ts': ['a/two.ts'], 'c/three.ts': ['a/index.ts'] }
    expect(cyclesOf(door)).toEqual([])
    expect(cyclesOf({ ...door, 'a/two.ts': ['c/three.ts'] })).toHaveLength(1)
  })

  test('folderCycles ignores the imports of tests', () => {
    expect(cyclesOf({ 'a/one.test.ts': ['b/two.ts'], 'b/two.ts': ['a/three.ts'] })).toEqual([])
  })
})
