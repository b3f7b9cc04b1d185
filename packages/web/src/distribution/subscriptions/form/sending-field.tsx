import '@mantine/core/styles/Radio.layer.css'
import { Radio, Stack } from '@mantine/core'
import shared from '../../../ui/shared.module.css'
import { type Sending, sendingTexts } from '../subscription-texts.ts'

interface SendingFieldProps {
  value: Sending
  /** What the provider can make now. */
  choices: Sending[]
  /** False while the report service does not answer: then only a link can be chosen. */
  isAnswering: boolean
  /** What is stored; offered too, since the provider may make it again by the next run. */
  stored: Sending | undefined
  /** Why the e-mail may only have a link; null when it need not. */
  reason: string | null
  /** Megabytes of the largest attachment. */
  anexoMb: number
  error: string | undefined
  onChange: (value: Sending) => void
}

const explanations: Record<Sending, string> = {
  LINK: 'O e-mail não leva dados: o link pede a entrada no portal.',
  PDF: 'Quem tiver o e-mail lê o arquivo, mesmo sem entrar no portal.',
  PNG: 'Uma página aparece no corpo do e-mail, também no celular.',
  XLSX: 'Os dados, prontos para filtrar e somar. Quem definiu uma senha para os PDFs recebe só um link.',
}

const NO_ANSWER =
  'O serviço de relatórios não responde agora, e nenhum arquivo pode ser gerado. Os formatos aparecem aqui quando ele responder.'

const NOT_MADE_NOW =
  'O serviço de relatórios não gera este formato agora. Escolha outro, ou peça a quem cuida do servidor que o ligue de novo: até lá, os envios não saem.'

/** Whether the e-mail has the report itself, or only a link to it. */
export const SendingField = (props: SendingFieldProps) => {
  const { value, choices, isAnswering, stored, reason, anexoMb, error, onChange } = props
  const isMissing = (choice: Sending) => !choices.includes(choice)
  const offered = stored !== undefined && isMissing(stored) ? [...choices, stored] : choices
  return (
    <Radio.Group
      label="Como enviar"
      labelProps={{ className: shared.heading }}
      description={reason ?? (isAnswering ? `Um arquivo com mais de ${anexoMb} MB vira link.` : NO_ANSWER)}
      name="envio"
      value={value}
      error={error}
      onChange={(next) => onChange(next as Sending)}
    >
      <Stack gap="sm" mt="sm">
        {offered.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={sendingTexts[choice]}
            description={isMissing(choice) && isAnswering ? NOT_MADE_NOW : explanations[choice]}
            disabled={choice !== 'LINK' && reason !== null}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
