import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** The password with which a person's PDFs of subscriptions are encrypted. */
export const PdfPassword = namedObject('PdfPassword', { definida: z.boolean() })
export type PdfPassword = z.infer<typeof PdfPassword>

/** Readers of PDFs disagree about other characters. */
const printable = /^[\x20-\x7e]+$/

export const PdfPasswordDraft = namedObject('PdfPasswordDraft', {
  senha: z
    .string('Informe uma senha.')
    .min(8, 'A senha precisa de ao menos 8 caracteres.')
    .max(100, 'A senha pode ter no máximo 100 caracteres.')
    .regex(printable, 'Use só letras sem acento, algarismos, espaços e sinais.'),
})

const { get, put, remove } = callsOf({ tag: 'Assinaturas', permission: 'account:own' })

export const pdfPasswordApi = {
  get: get('/conta/senha-pdf', 'Se os PDFs das assinaturas da pessoa têm senha', {
    response: { 200: PdfPassword },
  }),
  set: put('/conta/senha-pdf', 'Define a senha dos PDFs das assinaturas da pessoa', {
    reauthentication: 'always',
    body: PdfPasswordDraft,
    response: { 200: PdfPassword },
  }),
  remove: remove('/conta/senha-pdf', 'Retira a senha dos PDFs das assinaturas da pessoa', {
    reauthentication: 'always',
  }),
}
