import type { PublicationPreview } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import { IconReportAnalytics } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import classes from './preview-panel.module.css'

type ShownPreview = NonNullable<PublicationPreview['previa']>

/** Draws the report of a draft; passed in by `app`, because it needs the viewer. */
export type Preview = ComponentType<{
  previa: ShownPreview
  nomeRelatorio: string
  onRenew: () => void
}>

interface PreviewPanelProps {
  Preview: Preview
  previa: ShownPreview | null | undefined
  nomeRelatorio: string
  /** The definition has errors: what is shown is older. */
  isFaulty: boolean
  error: unknown
  onRenew: () => void
}

/** The report as readers will see it. */
export const PreviewPanel = ({
  Preview,
  previa,
  nomeRelatorio,
  isFaulty,
  error,
  onRenew,
}: PreviewPanelProps) => (
  <section className={classes.preview} aria-labelledby="previa">
    <div className={shared.row}>
      <h3 id="previa" className={classes.previewTitle}>
        Prévia
      </h3>
      <p className={shared.note}>
        {previa && isFaulty ? 'Como era antes do erro.' : 'Só você a vê; nada foi publicado.'}
      </p>
    </div>
    <ErrorAlert error={error} />
    {error ? (
      <div>
        <ActionButton size="xs" label="Tentar novamente" onClick={onRenew} />
      </div>
    ) : null}
    <div className={classes.previewStage}>
      {previa ? (
        <Preview previa={previa} nomeRelatorio={nomeRelatorio} onRenew={onRenew} />
      ) : isFaulty || error ? (
        <InlineMessage icon={IconReportAnalytics}>
          A prévia aparece quando a definição não tem erros.
        </InlineMessage>
      ) : (
        <Skeleton height="100%" radius="md" />
      )}
    </div>
  </section>
)
