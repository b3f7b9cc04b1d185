import type { Author } from '../accounts/professional-registration.ts'
import { UserType } from '../accounts/sessions.ts'
import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { REQUIRED, requiredLine, requiredParagraph } from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { clinicalPageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

export const AttachmentType = z.enum(['IMG', 'PDF'], {
  error: ({ input }) => (input ? 'Escolha IMG ou PDF.' : REQUIRED),
})
export type AttachmentType = z.infer<typeof AttachmentType>

export const Attachment = namedObject('Attachment', {
  id: z.number().int(),
  titulo_anexo: z.string(),
  descricao_anexo: z.string(),
  /** dd/mm/aaaa in America/Sao_Paulo. */
  data_anexo: z.string(),
  tipo_anexo: AttachmentType,
  /** The sender's role. */
  tipo_usuario: UserType,
  /** The file's address, `/api/anexos/12/arquivo`, or null without a file. */
  imagem_anexo: z.string().nullable(),
  /** The beneficiary, if the attachment belongs to one. */
  nome_beneficiario: z.string().nullable(),
  id_beneficiario: z.string().nullable(),
  beneficiario: z.number().int().nullable(),
  enviado_por: z.string(),
  idAutor: z.number().int(),
  /** The sender's professional registration at the time, 'CRM 12345/PR'. */
  registroAutor: z.string().nullable(),
  /** Format of the stored file: `image/png`, `image/jpeg`, `image/webp` or `application/pdf`. */
  formato: z.string().nullable(),
  tamanho_bytes: z.number().int().nullable(),
})
export type Attachment = z.infer<typeof Attachment>

/** Returns the sender as an author. */
export const senderOf = ({ enviado_por, idAutor, registroAutor }: Attachment): Author => ({
  nome: enviado_por,
  idUsuario: idAutor,
  registro: registroAutor,
})

/** The text fields of the multipart body. The file is the field `arquivo`, and optional. */
export const AttachmentDraft = namedObject('AttachmentDraft', {
  titulo_anexo: requiredLine(120, REQUIRED),
  tipo_anexo: AttachmentType,
  descricao_anexo: requiredParagraph(2_000, REQUIRED),
  id_beneficiario: z.union([z.literal('').transform(() => undefined), requiredLine(60)]).optional(),
})
export type AttachmentDraft = z.infer<typeof AttachmentDraft>

export const attachmentEntity = entity({
  kind: 'anexo',
  title: 'Anexo',
  list: 'anexos',
  listTitle: 'Anexos',
  path: '/anexos',
  permission: 'records:access',
  table: 'anexo',
  id: 'id',
  actions: {
    'attachment.created': 'Enviou um anexo',
    'attachment.archived': 'Arquivou um anexo',
    'attachment.read': 'Leu anexos',
    'attachment.downloaded': 'Baixou um anexo',
  },
  fields: {
    titulo_anexo: { label: 'Título', control: 'text', privacy: 'health' },
    tipo_anexo: { label: 'Tipo', control: 'choice', privacy: 'none' },
    descricao_anexo: { label: 'Descrição', control: 'text', privacy: 'health' },
    id_beneficiario: { label: 'ID do beneficiário', control: 'choice', privacy: 'health' },
  } satisfies Fields<AttachmentDraft>,
})

const { get, post, remove } = callsOf({ tag: 'Anexos', permission: attachmentEntity.permission })

export const attachmentsApi = {
  list: get('/anexos', 'Anexos, do mais novo ao mais antigo', {
    query: clinicalPageQuery.extend({
      busca: z
        .string()
        .trim()
        .max(200)
        .regex(/^[^\0]*$/)
        .optional()
        .meta({ description: 'Trecho do tipo (IMG, PDF), sem diferença de maiúsculas.' }),
      beneficiario: EntityId.optional().meta({
        description: 'Só os deste beneficiário (o `id` do cadastro).',
      }),
    }),
    response: { 200: z.array(Attachment) },
  }),
  create: post('/anexos', 'Guarda um anexo, com ou sem arquivo (PNG, JPEG, WebP ou PDF, até 10 MB)', {
    body: AttachmentDraft,
    file: 'arquivo',
    response: { 201: Attachment },
  }),
  file: get('/anexos/:id/arquivo', 'O arquivo de um anexo', {
    query: z.object({
      baixar: z
        .enum(['1'])
        .optional()
        .meta({ description: 'Para o registro de acessos: baixado, e não só visto.' }),
    }),
    contentType: 'application/octet-stream',
  }),
  archive: remove('/anexos/:id', 'Arquiva um anexo, com o motivo em X-Motivo; nada se apaga'),
}
