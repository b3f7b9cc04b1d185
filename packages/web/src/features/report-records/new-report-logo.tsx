import type { Report } from '@bi-manager/contract'
import { Alert, VisuallyHidden } from '@mantine/core'
import { LogoPreview, SendLogoButton } from './logo-parts.tsx'
import classes from './logo-section.module.css'
import { useLogo } from './use-logo.ts'

/** The logo upload in the dialog after a report was created. */
export const NewReportLogo = ({ report }: { report: Report }) => {
  const logo = useLogo(report)
  return (
    <div className={classes.inDialog}>
      <LogoPreview logo={logo} />
      <SendLogoButton logo={logo}>{logo.current.logo ? 'Trocar logo' : 'Enviar logo'}</SendLogoButton>
      {logo.fault && (
        <Alert color="red" role="alert" w="100%">
          {logo.fault}
        </Alert>
      )}
      <VisuallyHidden role="status">{logo.done}</VisuallyHidden>
    </div>
  )
}
