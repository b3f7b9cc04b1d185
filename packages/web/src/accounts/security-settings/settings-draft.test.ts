import type { SecuritySettings } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { changesOf, draftOf, withNetwork } from './settings-draft.ts'

const settings: SecuritySettings = {
  segundoFator: 'opcional',
  segundoFatorDecidido: true,
  semSegundoFator: { administradores: 0, prontuarios: 0, administradores_e_prontuarios: 0, todos: 0 },
  buscaSemAcesso: false,
  redesAdmin: ['203.0.113.0/24', '2001:db8::/32'],
  redesUsuario: [],
  redesValem: true,
  enderecoAtual: '203.0.113.9',
  versao: 3,
}

test('the settings draft sends only what differs, whatever separates the networks', () => {
  const draft = draftOf(settings)
  expect(changesOf(draft, settings)).toEqual({})
  expect(changesOf({ ...draft, redesAdmin: ' 203.0.113.0/24,\n\n2001:db8::/32 ' }, settings)).toEqual({})
  expect(changesOf({ ...draft, redesUsuario: '10.0.0.0/8; 192.168.0.1' }, settings)).toEqual({
    redesUsuario: ['10.0.0.0/8', '192.168.0.1'],
  })
  expect(changesOf({ ...draft, buscaSemAcesso: true, redesAdmin: '' }, settings)).toEqual({
    buscaSemAcesso: true,
    redesAdmin: [],
  })
})

test('the settings draft adds a network once, on a line of its own', () => {
  expect(withNetwork('', '203.0.113.9')).toBe('203.0.113.9')
  expect(withNetwork('10.0.0.0/8\n', '203.0.113.9')).toBe('10.0.0.0/8\n203.0.113.9')
  expect(withNetwork('203.0.113.9', '203.0.113.9')).toBe('203.0.113.9')
})
