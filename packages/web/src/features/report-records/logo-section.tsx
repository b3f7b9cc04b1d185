import type { Report } from '@bi-manager/contract'
import { Alert, Button, VisuallyHidden } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import shared from '../../ui/shared.module.css'
import { LogoPreview, SendLogoButton } from './logo-parts.tsx'
import classes from './logo-section.module.css'
import { useLogo } from './use-logo.ts'

interface LogoSectionProps {
  report: Report
  /** Called with the updated record after a change of the logo. */
  onChanged: (report: Report) => void
}

/** A section for the report's logo, below its form. */
export const LogoSection = ({ report, onChanged }: LogoSectionProps) => {
  const logo = useLogo(report, onChanged)
  const hasImage = logo.current.logo !== null
  return (
    <section className={classes.section} aria-labelledby="logo">
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
        <Alert color="red" role="alert" className={classes.fault}>
          {logo.fault}
        </Alert>
      )}
      <div className={classes.buttons}>
        <SendLogoButton logo={logo}>{hasImage ? 'Trocar imagem' : 'Enviar imagem'}</SendLogoButton>
        {hasImage && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={17} aria-hidden />}
            loading={logo.isRemoving}
            disabled={logo.isBusy}
            onClick={logo.remove}
          >
            Remover logo
          </Button>
        )}
      </div>
      <VisuallyHidden role="status">{logo.done}</VisuallyHidden>
    </section>
  )
}
