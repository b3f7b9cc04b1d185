import { useEffect, useState } from 'react'

/** An address of bytes in memory for as long as the component shows them; revoked afterwards. */
export const useObjectUrl = (content: Blob | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!content) return
    const created = URL.createObjectURL(content)
    setUrl(created)
    return () => {
      URL.revokeObjectURL(created)
      setUrl(undefined)
    }
  }, [content])
  return url
}
