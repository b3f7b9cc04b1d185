import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { purposeOf, reasonOf } from './purpose.ts'

const request = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest
const purpose = (text: string) => purposeOf(request({ 'x-finalidade': encodeURIComponent(text) }))

test.each([
  ['Atendimento', { code: 'atendimento', text: null }],
  ['regulacao', { code: 'regulacao', text: null }],
  ['Outro: pedido da ouvidoria', { code: 'outro', text: 'pedido da ouvidoria' }],
  ['Pedido da ouvidoria', { code: 'outro', text: 'Pedido da ouvidoria' }],
  ['Outro', { code: 'outro', text: null }],
  ['Não informada', { code: 'nao_informada', text: null }],
  ['  ', { code: 'nao_informada', text: null }],
  ['linha\r\nforjada', { code: 'outro', text: 'linha forjada' }],
  ['\u202eotnemidnetA\u200b', { code: 'outro', text: 'otnemidnetA' }],
  ['Atendi\u200bmento', { code: 'atendimento', text: null }],
])('purposeOf parses %j', (text, expected) => expect(purpose(text)).toEqual(expected))

test("a missing header is 'not informed'", () => {
  expect(purposeOf(request({}))).toEqual({ code: 'nao_informada', text: null })
  expect(reasonOf(request({}))).toBe('Não informado')
})

test.each(['%e9', '%', `${'a'.repeat(201)}`, '%ed%a0%80'])('purposeOf and reasonOf refuse %s', (raw) => {
  expect(() => purposeOf(request({ 'x-finalidade': raw }))).toThrow('X-Finalidade não pôde ser lido')
  expect(() => reasonOf(request({ 'x-motivo': raw }))).toThrow('X-Motivo não pôde ser lido')
})
