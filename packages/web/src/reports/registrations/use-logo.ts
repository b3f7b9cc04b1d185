import { ApiProblem, type Report, reportRegistrationsApi } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { base64Of, LogoFileError, scaleLogo } from '../../lib/browser/logo-file.ts'

/** State of a report's logo. Changes are saved at once, independently of the form. */
export const useLogo = (report: Report, onChanged?: (report: Report) => void) => {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState(report)
  /** The chosen image while it is being uploaded. */
  const [preview, setPreview] = useState<Blob>()
  const params = { id: report.idRelatorio }

  const change = useExclusiveMutation({
    mutationFn: async (file: File | null) => {
      if (file === null) {
        await call(reportRegistrationsApi.removeLogo, { params })
        return call(reportRegistrationsApi.get, { params })
      }
      const picture = await scaleLogo(file)
      setPreview(picture)
      return call(reportRegistrationsApi.setLogo, { params, body: { imagem: await base64Of(picture) } })
    },
    onSuccess: (changed) => {
      setCurrent(changed)
      onChanged?.(changed)
      void queryClient.invalidateQueries({ queryKey: reportsKey })
    },
    onSettled: () => setPreview(undefined),
  })

  return {
    current,
    preview,
    isBusy: change.isPending,
    isRemoving: change.isPending && change.variables === null,
    fault: change.error ? faultText(change.error) : undefined,
    /** The result of the last action, for screen readers. */
    done: change.isSuccess ? (change.variables ? 'Logo enviado.' : 'Logo removido.') : '',
    send: (file: File | null) => file && change.mutate(file),
    remove: () => change.mutate(null),
  }
}

const faultText = (error: unknown): string => {
  if (error instanceof LogoFileError) return error.message
  return (error instanceof ApiProblem && error.campos.imagem) || messageOf(error)
}
