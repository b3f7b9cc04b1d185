import { ApiProblem } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { messageOf } from './api.ts'

test.each([
  ['Chromium', new TypeError('Failed to fetch')],
  ['Chromium, in the middle of an answer', new TypeError('network error')],
  ['Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
  ['Firefox, in the middle of an answer', new TypeError('Error in input stream')],
  ['Safari', new TypeError('Load failed')],
  ['Safari, in the middle of an answer', new TypeError('The network connection was lost.')],
  ['an older Safari', new TypeError('Could not connect to the server.')],
  ['Safari, without a network', new TypeError('The Internet connection appears to be offline.')],
  ['a page’s code in Chromium', new TypeError('Failed to fetch dynamically imported module: /a.js')],
  ['a page’s code in Firefox', new TypeError('error loading dynamically imported module: /a.js')],
  ['a page’s code in Safari', new TypeError('Importing a module script failed.')],
  ['a time limit', new DOMException('signal timed out', 'TimeoutError')],
])('the message blames the connection for a network error: %s', (_, error) => {
  expect(messageOf(error)).toBe(
    'Não foi possível falar com o servidor. Verifique sua conexão e tente novamente.',
  )
})

test.each([
  new TypeError("Cannot read properties of undefined (reading 'importFile')"),
  new TypeError('undefined is not an object'),
  new TypeError("Cannot read properties of undefined (reading 'offline')"),
  new DOMException('The quota has been exceeded.', 'QuotaExceededError'),
  new DOMException('The operation is insecure.', 'SecurityError'),
  new Error('x'),
])('the message does not blame the connection for a bug: %s', (error) => {
  expect(messageOf(error)).toBe(
    'Ocorreu um erro inesperado. Tente novamente; se continuar, avise o suporte do sistema.',
  )
})

test('the message says that an answer is unexpected when it is not JSON', () => {
  const error = new SyntaxError('Unexpected token <')
  expect(messageOf(error)).toBe('O servidor respondeu de forma inesperada. Tente novamente em instantes.')
})

test('the message of a refusal is the one of the server', () => {
  expect(messageOf(new ApiProblem(409, { codigo: 'x', detail: 'Já existe.' }))).toBe('Já existe.')
})
