import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { Entity } from './calls/entity.ts'
import { entities, fieldLabels, reportRegistrationsApi, workspacesApi } from './entities.ts'

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

test('a dependant is an entity with a name and a form, and its filter is one of its list', () => {
  const all = described.flatMap(({ dependants = [] }) => dependants)
  expect(all.length).toBeGreaterThan(0)
  for (const { kind, filter } of all) {
    const dependant = described.find((one) => one.kind === kind)
    expect([kind, typeof dependant?.name, typeof dependant?.pages?.form]).toEqual([kind, 'string', 'string'])
    const lists: Record<string, z.ZodObject> = {
      relatorio: reportRegistrationsApi.list.query,
      workspace: workspacesApi.list.query,
    }
    if (filter) expect(Object.keys(lists[kind]?.shape ?? {})).toContain(filter)
  }
})
