import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** The steps from an empty installation to a report that a person opens, in their order. */
export const setupSteps = [
  'senha',
  'segundo_fator',
  'conexao',
  'teste',
  'workspace',
  'relatorio',
  'pessoa',
  'permissao',
  'email',
  'copia',
] as const
export const SetupStepName = z.enum(setupSteps)
export type SetupStepName = z.infer<typeof SetupStepName>

export const SetupStep = namedObject('SetupStep', {
  passo: SetupStepName,
  feito: z.boolean(),
  /** A publication in the browser, to the local report service, does this step too. */
  porPublicacao: z.boolean(),
})
export type SetupStep = z.infer<typeof SetupStep>

const { get } = callsOf({ tag: 'Sistema', permission: 'system:read' })

export const setupApi = {
  get: get(
    '/sistema/primeiros-passos',
    'Primeiros passos da instalação, na ordem, e os já feitos; nenhum na demonstração',
    { response: { 200: z.array(SetupStep) } },
  ),
}
