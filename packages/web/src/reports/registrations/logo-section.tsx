import type { Report } from '@bi-manager/contract'
import { Alert, FileButton, Group, VisuallyHidden } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { LOGO_TYPES } from '../../lib/browser/logo-file.ts'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from './logo-section.module.css'
import { ReportLogo } from './report-logo.tsx'
import { useLogo } from './use-logo.ts'

interface LogoSectionProps {
  report: Report
  /** Called with the updated report after a change of the logo. */
  onChanged: (report: Report) => void
}

/** A section for the report's logo, below its form. */
export const LogoSection = ({ report, onChanged }: LogoSectionProps) => {
  const logo = useLogo(report, onChanged)
  const hasImage = logo.current.logo !== null
  return (
    <section className={`${shared.panel} ${classes.section}`} aria-labelledby="logo">
      <LogoPreview logo={logo} />
      <div>
        <h2 id="logo" className={shared.subheading}>
          Logo
        </h2>
        <p className={shared.underHeading}>
          {hasImage
            ? 'Imagem enviada.'
            : 'Gerado a partir da operadora. Você pode enviar uma imagem PNG, JPEG ou WebP.'}{' '}
          A troca vale na hora, sem gravar.
        </p>
      </div>
      {logo.fault && (
        <Alert color="red" role="alert" style={{ gridColumn: '1 / -1' }}>
          {logo.fault}
        </Alert>
      )}
      <div className={`${shared.buttons} ${classes.buttons}`}>
        <SendLogoButton logo={logo}>{hasImage ? 'Trocar imagem' : 'Enviar imagem'}</SendLogoButton>
        {hasImage && (
          <ActionButton
            variant="subtle"
            icon={IconTrash}
            label="Remover logo"
            color="red"
            loading={logo.isRemoving}
            disabled={logo.isBusy}
            onClick={logo.remove}
          />
        )}
      </div>
      <VisuallyHidden role="status">{logo.done}</VisuallyHidden>
    </section>
  )
}

/** The logo upload in the dialog after a report was created. */
export const NewReportLogo = ({ report }: { report: Report }) => {
  const logo = useLogo(report)
  return (
    <Group flex="1 0 100%" gap="0.75rem 1rem" mb="0.75rem">
      <LogoPreview logo={logo} />
      <SendLogoButton logo={logo}>{logo.current.logo ? 'Trocar logo' : 'Enviar logo'}</SendLogoButton>
      <ErrorAlert error={logo.fault} w="100%" />
      <VisuallyHidden role="status">{logo.done}</VisuallyHidden>
    </Group>
  )
}

type Logo = ReturnType<typeof useLogo>

/** The current logo, or the image being uploaded. */
const LogoPreview = ({ logo }: { logo: Logo }) => {
  const url = useObjectUrl(logo.preview)
  return url ? (
    <img src={url} alt="Imagem escolhida" className={classes.preview} />
  ) : (
    <ReportLogo report={logo.current} size={64} />
  )
}

const SendLogoButton = ({ logo, children }: { logo: Logo; children: string }) => {
  const forget = useRef<() => void>(null)
  const handleFile = (file: File | null) => {
    logo.send(file)
    // Otherwise choosing the same file again would emit no change event.
    forget.current?.()
  }
  return (
    <FileButton accept={LOGO_TYPES.join(',')} onChange={handleFile} resetRef={forget}>
      {(button) => (
        <Button
          variant="default"
          leftSection={<IconPhotoUp size={17} aria-hidden />}
          loading={logo.isBusy && !logo.isRemoving}
          disabled={logo.isBusy}
          {...button}
        >
          {children}
        </Button>
      )}
    </FileButton>
  )
}
