import { SecondFactorPolicy } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { asksOf, choices } from './second-factor-rule.ts'

test('every rule of the contract is offered, with how many it would ask', () => {
  expect(choices.map(({ policy }) => policy)).toEqual(SecondFactorPolicy.options)
  const texts = (administradores: number, todos: number) =>
    choices.slice(1).map(({ explain }) => explain({ administradores, todos }))
  expect(texts(0, 0)).toEqual(['Todos já têm.', 'Todos já têm.'])
  expect(texts(1, 1)).toEqual(['1 administrador ainda não tem.', '1 pessoa ainda não tem.'])
  expect(texts(2, 1234)).toEqual(['2 administradores ainda não têm.', '1.234 pessoas ainda não têm.'])
})

test('whom a rule asks', () => {
  const asked = SecondFactorPolicy.options.map((policy) => [asksOf(policy, 'ADMIN'), asksOf(policy, 'USER')])
  expect(asked).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})
