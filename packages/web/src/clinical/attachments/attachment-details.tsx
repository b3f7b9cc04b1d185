import { type Attachment, senderOf } from '@bi-manager/contract'
import { Box, Modal, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from '../medical-records/author-name.tsx'
import classes from './attachment-details.module.css'
import { downloadName, keptFileText } from './attachment-file.ts'
import { AttachmentViewer } from './attachment-viewer.tsx'
import { downloadFile } from './attachments-queries.ts'

interface AttachmentDetailsProps {
  /** Undefined closes the dialog. */
  attachment: Attachment | undefined
  onClose: () => void
}

/** A dialog with all fields of an attachment and its file. */
export const AttachmentDetails = ({ attachment, onClose }: AttachmentDetailsProps) => {
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const { shown } = useDialogTarget(attachment)
  return (
    <Modal
      opened={attachment !== undefined}
      onClose={onClose}
      title="Detalhes do anexo"
      size="72rem"
      fullScreen={isPhone}
      radius={isPhone ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && <Details key={shown.id} attachment={shown} />}
    </Modal>
  )
}

const Details = ({ attachment }: { attachment: Attachment }) => {
  const file = keptFileText(attachment)
  return (
    <div className={classes.details}>
      <Stack gap={0} miw={0}>
        {attachment.imagem_anexo === null ? (
          <Box component="p" className={shared.note} m="auto" px="md" py="2.5rem">
            Este anexo foi enviado sem arquivo.
          </Box>
        ) : (
          <AttachmentViewer attachment={attachment} />
        )}
      </Stack>
      <div className={shared.stackLg}>
        <Facts rows={factsOf(attachment, file)} className={`${shared.stackSm} ${classes.pairs}`} />
        {attachment.imagem_anexo !== null && (
          <DownloadButton
            label="Baixar"
            download={() => downloadFile(attachment)}
            fileName={downloadName(attachment)}
          />
        )}
      </div>
    </div>
  )
}

const factsOf = (attachment: Attachment, file: string | undefined): [string, ReactNode][] => [
  ['Título', attachment.titulo_anexo],
  ['Beneficiário', attachment.nome_beneficiario ?? 'Nenhum'],
  ['ID do beneficiário', attachment.id_beneficiario ?? undefined],
  ['Descrição', attachment.descricao_anexo],
  ['Tipo', attachment.tipo_anexo],
  ['Data', attachment.data_anexo],
  ['Enviado por', <AuthorName key="author" {...senderOf(attachment)} />],
  ['Tipo de usuário', attachment.tipo_usuario],
  ['Arquivo', file ?? 'Nenhum'],
]
