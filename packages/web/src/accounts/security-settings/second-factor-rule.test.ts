import { demandsSecondFactor, SecondFactorPolicy } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { choices } from './second-factor-rule.ts'

test('choices offer every rule of the contract with the number of users it affects', () => {
  expect(choices.map(({ policy }) => policy)).toEqual(SecondFactorPolicy.options)
  const texts = (administradores: number, todos: number) =>
    choices.slice(1).map(({ explain }) =>
      explain({
        administradores,
        prontuarios: 0,
        administradores_e_prontuarios: administradores,
        todos,
      }),
    )
  const all = 'Todos já têm.'
  expect(texts(0, 0)).toEqual([all, all, all, all])
  expect(texts(1, 1)).toEqual([
    '1 administrador ainda não tem.',
    all,
    '1 pessoa ainda não tem.',
    '1 pessoa ainda não tem.',
  ])
  expect(texts(2, 1234)).toEqual([
    '2 administradores ainda não têm.',
    all,
    '2 pessoas ainda não têm.',
    '1.234 pessoas ainda não têm.',
  ])
})

test('demandsSecondFactor applies each rule to the users it names', () => {
  const asked = SecondFactorPolicy.options.map((policy) => [
    demandsSecondFactor(policy, { tipo: 'ADMIN', acessoProntuario: false }),
    demandsSecondFactor(policy, { tipo: 'USER', acessoProntuario: true }),
    demandsSecondFactor(policy, { tipo: 'USER', acessoProntuario: false }),
  ])
  expect(asked).toEqual([
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [true, true, false],
    [true, true, true],
  ])
})
