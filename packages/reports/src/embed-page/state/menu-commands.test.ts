import type { ISettings } from 'powerbi-models'
import { expect, test } from 'vitest'
import type { EmbeddedVisual } from '../../wire/embed-contract.ts'
import { menuCommands } from './menu-commands.ts'

const bar = { name: 'custo', type: 'bar' } as EmbeddedVisual
const command = (more: object = {}) => ({
  name: 'exportar',
  title: 'Exportar',
  extend: { visualOptionsMenu: {} },
  ...more,
})
const of = (extensions: unknown) => menuCommands({ extensions } as ISettings, bar)
const read = [{ name: 'exportar', title: 'Exportar' }]

test('menuCommands reads a list of extensions, and one object of commands', () => {
  expect(of([{ command: command() }])).toEqual(read)
  expect(of({ commands: [command()] })).toEqual(read)
  expect(of([{ command: command({ extend: { visualOptionsMenu: { title: 'Baixar' } } }) }])).toEqual([
    { name: 'exportar', title: 'Baixar' },
  ])
})

test.each([
  ['by name', { visualName: 'custo' }, 1],
  ['by another name', { visualName: 'vidas' }, 0],
  ['by type', { visualType: 'clusteredBarChart' }, 1],
  ['by another type', { visualType: 'card' }, 0],
])('menuCommands applies a selector %s', (_how, selector, count) => {
  expect(of([{ command: command({ selector }) }])).toHaveLength(count)
})

test('menuCommands ignores commands of other menus, and whatever is no command', () => {
  for (const extensions of [
    undefined,
    null,
    'x',
    [null, {}, { command: 3 }],
    { commands: 'x' },
    [{ command: command({ extend: { visualContextMenu: {} } }) }],
    [{ command: command({ name: '' }) }],
    [{ command: command({ title: 7 }) }],
  ])
    expect(of(extensions)).toEqual([])
})

test('menuCommands keeps at most ten commands, with short titles', () => {
  const many = Array.from({ length: 30 }, () => ({ command: command({ title: 'x'.repeat(500) }) }))
  expect(of(many)).toHaveLength(10)
  expect(of(many)[0]?.title).toHaveLength(60)
})
