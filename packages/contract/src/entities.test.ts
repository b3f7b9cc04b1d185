import { expect, test } from 'vitest'
import { entities, fieldLabels } from './entities.ts'
import type { Entity } from './entity.ts'

const described: readonly Entity[] = entities

test('a field name has the same label in every entity', () => {
  for (const { kind, fields } of described) {
    for (const [name, { label }] of Object.entries(fields)) {
      expect(fieldLabels[name], `label of ${name} in the entity ${kind}`).toBe(label)
    }
  }
})

test('kinds, lists and references of entities are unique', () => {
  const names = [
    described.map(({ kind }) => kind),
    described.map(({ list }) => list),
    described.flatMap(({ references = [] }) => references),
  ]
  for (const all of names) expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([])
})
