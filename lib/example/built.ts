import type { Citation } from '../api-contract/citation.ts';
import type { Extract } from '../research/extracts/extract.ts';
import type { Evidence, ResearchPlan, Section } from '../research/schema.ts';

/** The files and texts of infra/example, written by infra/example/build.ts: change them there. */
export interface BuiltFile {
  path: string;
  /** Of a text file; others have their bytes in `base64`. */
  text?: string;
  base64?: string;
}

export interface BuiltExample {
  name: string;
  folder: string;
  turns: { question: string; answer: string; citations: Citation[] }[];
  report: {
    question: string;
    plan: ResearchPlan;
    evidence: Evidence[];
    /** The passages around the quotes, by the IDs of the evidence. */
    extracts: Record<string, Extract>;
    sections: Section[];
    openQuestions: string[];
  };
}

export const EXAMPLE_FILES: BuiltFile[] = [
 {
  "path": "data/air-temperature.csv",
  "text": "date,time,canopy_percent,street,air_temperature_c\n2021-07-12,15:00,85,Alder Street,30.5\n2021-07-12,15:00,80,Church Lane,30.6\n2021-07-12,15:00,35,Station Road,32.6\n2021-07-12,15:00,0,Mill Road,32.9\n2021-07-12,15:00,0,Market Square,33.0\n2021-07-13,15:00,85,Alder Street,31.0\n2021-07-13,15:00,80,Church Lane,31.4\n2021-07-13,15:00,35,Station Road,33.4\n2021-07-13,15:00,0,Mill Road,33.4\n2021-07-13,15:00,0,Market Square,33.9\n2021-07-14,15:00,85,Alder Street,31.7\n2021-07-14,15:00,80,Church Lane,32.1\n2021-07-14,15:00,35,Station Road,33.8\n2021-07-14,15:00,0,Mill Road,34.2\n2021-07-14,15:00,0,Market Square,34.3\n2021-07-15,15:00,85,Alder Street,32.3\n2021-07-15,15:00,80,Church Lane,32.4\n2021-07-15,15:00,35,Station Road,34.5\n2021-07-15,15:00,0,Mill Road,34.5\n2021-07-15,15:00,0,Market Square,34.9\n2021-07-16,15:00,85,Alder Street,32.5\n2021-07-16,15:00,80,Church Lane,33.0\n2021-07-16,15:00,35,Station Road,34.7\n2021-07-16,15:00,0,Mill Road,35.0\n2021-07-16,15:00,0,Market Square,35.4\n"
 },
 {
  "path": "notes/open-questions.md",
  "text": "# Open questions\n\n1. Where between 40 and 80 percent canopy cover does the cooling begin? No street in Fernbrook is in that range.\n2. What would an open yard on Quay Street do for Market Square at night? No paper has a model of it.\n3. How do trees and the river wind go together? Crowns may slow the wind.\n4. What do the measures cost per person who uses the street?\n"
 },
 {
  "path": "notes/reading-notes.md",
  "text": "# Reading notes\n\nFor the council's meeting in autumn. All papers are in `papers/`.\n\n- **Trees** (2021): strong by day, nothing at night. Cover matters more than the number of trees.\n- **Roofs** (2022): good for the classroom, nothing for the street. Ask about washing every second year.\n- **Night wind** (2022): the only paper about nights. Who owns the two empty warehouses?\n- **Mist** (2023): people like it, sensors hardly see it.\n- **School yard** (2023): cheap because parents worked. Rain is a second reason.\n- **Residents** (2024): mostly older people answered. Ask the school, too.\n- **树荫与步行** (2023): continuity of shade; a gap of 30 m is too long.\n- **浅色路面** (2024): the surface is cooler, people aren't.\n"
 },
 {
  "path": "papers/2021-street-trees.pdf",
  "base64": "JVBERi0xLjQKJZOMi54gUmVwb3J0TGFiIEdlbmVyYXRlZCBQREYgZG9jdW1lbnQgKG9wZW5zb3VyY2UpCjEgMCBvYmoKPDwKL0YxIDIgMCBSIC9GMiAzIDAgUiAvRjMgNCAwIFIgL0Y0IDUgMCBSCj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9CYXNlRm9udCAvSGVsdmV0aWNhIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GMSAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0Jhc2VGb250IC9UaW1lcy1Sb21hbiAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjIgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago0IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtQm9sZCAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjMgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago1IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtSXRhbGljIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GNCAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0NvbnRlbnRzIDEyIDAgUiAvTWVkaWFCb3ggWyAwIDAgNTk1LjI3NTYgODQxLjg4OTggXSAvUGFyZW50IDExIDAgUiAvUmVzb3VyY2VzIDw8Ci9Gb250IDEgMCBSIC9Qcm9jU2V0IFsgL1BERiAvVGV4dCAvSW1hZ2VCIC9JbWFnZUMgL0ltYWdlSSBdCj4+IC9Sb3RhdGUgMCAvVHJhbnMgPDwKCj4+IAogIC9UeXBlIC9QYWdlCj4+CmVuZG9iago3IDAgb2JqCjw8Ci9Db250ZW50cyAxMyAwIFIgL01lZGlhQm94IFsgMCAwIDU5NS4yNzU2IDg0MS44ODk4IF0gL1BhcmVudCAxMSAwIFIgL1Jlc291cmNlcyA8PAovRm9udCAxIDAgUiAvUHJvY1NldCBbIC9QREYgL1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PiAvUm90YXRlIDAgL1RyYW5zIDw8Cgo+PiAKICAvVHlwZSAvUGFnZQo+PgplbmRvYmoKOCAwIG9iago8PAovQ29udGVudHMgMTQgMCBSIC9NZWRpYUJveCBbIDAgMCA1OTUuMjc1NiA4NDEuODg5OCBdIC9QYXJlbnQgMTEgMCBSIC9SZXNvdXJjZXMgPDwKL0ZvbnQgMSAwIFIgL1Byb2NTZXQgWyAvUERGIC9UZXh0IC9JbWFnZUIgL0ltYWdlQyAvSW1hZ2VJIF0KPj4gL1JvdGF0ZSAwIC9UcmFucyA8PAoKPj4gCiAgL1R5cGUgL1BhZ2UKPj4KZW5kb2JqCjkgMCBvYmoKPDwKL1BhZ2VNb2RlIC9Vc2VOb25lIC9QYWdlcyAxMSAwIFIgL1R5cGUgL0NhdGFsb2cKPj4KZW5kb2JqCjEwIDAgb2JqCjw8Ci9BdXRob3IgKEEuIE1vcmVhdSwgVC4gTGluZHF2aXN0KSAvQ3JlYXRpb25EYXRlIChEOjIwMDAwMTAxMDAwMDAwKzAwJzAwJykgL0NyZWF0b3IgKFwodW5zcGVjaWZpZWRcKSkgL0tleXdvcmRzICgpIC9Nb2REYXRlIChEOjIwMDAwMTAxMDAwMDAwKzAwJzAwJykgL1Byb2R1Y2VyIChSZXBvcnRMYWIgUERGIExpYnJhcnkgLSBcKG9wZW5zb3VyY2VcKSkgCiAgL1N1YmplY3QgKFdyaXR0ZW4gZm9yIHRoZSBleGFtcGxlIG9mIFdvcmtzcGFjZSBSZXNlYXJjaC4gVGhlIHRvd24sIHRoZSBwZW9wbGUsIGFuZCB0aGUgZmlndXJlcyBhcmUgaW52ZW50ZWQuKSAvVGl0bGUgKFN0cmVldCB0cmVlcyBhbmQgYWZ0ZXJub29uIGFpciB0ZW1wZXJhdHVyZSBpbiBGZXJuYnJvb2spIC9UcmFwcGVkIC9GYWxzZQo+PgplbmRvYmoKMTEgMCBvYmoKPDwKL0NvdW50IDMgL0tpZHMgWyA2IDAgUiA3IDAgUiA4IDAgUiBdIC9UeXBlIC9QYWdlcwo+PgplbmRvYmoKMTIgMCBvYmoKPDwKL0ZpbHRlciBbIC9BU0NJSTg1RGVjb2RlIC9GbGF0ZURlY29kZSBdIC9MZW5ndGggMTUxMQo+PgpzdHJlYW0KR2F0VTI5NWlpSyZBST0vYmdBIV43XFpMMlQhbWtmZk9EPFRdKjw8P0twRi1GTkM3TVEuXVdNc0xFZWc+Jy8ndWsxI1BQaUVQRDVpNmNCVnEvI04nQCNQYEVMMmc3IXAqND88cC44KytIIls2ZSxeMGY4JiVPSzxeO1QvP05NJ19kITAwZWhmZ18yPUVNTVJPQyppRyo5PUMsU09EVlcucGhDQHVqTDttP2JYVFxJJ2tfRG9iQyNJayMjPC5IMl9JKF9fQEI1XjEoNzA4JWtxdCU2VXFzSFMmQSJhck5TOUZvM1k1PkRkWjc6UT1nT2AucVtbTG0lUj9ZW2FgdGJgRCJAXiZyK3RucWZeXV5MSSkwLWIpKFckSzYpc0VwNyRsNlNOLkFASlxQIiV0IiZZUyU4bSVEPi8mZ2kvKUhQYi5RLXIkRUc2RDgwPzxWMykjLC4rYmZhbEw8NT5pX0ZMUjMyOFIibHAhbGdzS0xtOkVzLkQ3bXVMMmhhNV8yJU9xKV1JdHIvQ3ItIjJfLGstQyheXVBwXyYmczZtdVBWOnBtXkhjI3BKKUlXWV0hWSszJHNfInMzOl47UW5EKnJBIVMiSF1JcT9mSGIkKlMudXA3JHNBKy8qTzFEakd1REckPionRWhkOzc2QF9xO2NNR3ExQC9nRUhAZVw3UHA9JnBidUhQJFBoMz9bLkJIPm49JjpxcGwhMClZR01wT2FvKFo8Lk86J2Y5JWAma1tWKSFKQWVgTU1RcFVmXHRdKSUlXDQkOTM0UTNDbXBnUGFNQVVgWl9QPTkxYFZsZ14zNWVdJEQyJi1kXz8lW3MsMTRkaTw1cyM4QTQ9XkMwb3NiU1EmSmlhVm9QNjxeaGE8OVslZDBBOUQwTmRqcXVYS0JyJSI0bzJTRmc8YiFwKD11L0gvPGMpTSQ3KjcpTmBOUFFHIzJORmE8PkVbJiFFOixMRkNIKWs1clxaWWdvLWU5bG11LycoJEQncUk2KCJycVhTMidqWyZFOiUlanI6VkIuN2s6JzFAJylDRlk3J1E8LENyInQ+Q1BfclZcM1I5WTZyNW5SXzkhaGEhJlQvaGFXY0BPUFdSXzgjLj9IWmZfTVxDSG4+XyhZLUkoSSlJZCUlND9zdSZENGJfV2ZJJjEyS2IxIUZXYUohUmMuRlFccF9uYUIqUDJRPSRqJylkK0UlQC5oKVZLNm0ibFlwWDkmazVmU0w5TiQ1WWhhXUotRWduRy0uXylsZEQwKExmN2xBRVpcWytHRmJhMT8ySCNcWl5XRiNsOlEzTzZKMGouR2dQWk1XQz4tSTNBJ19JMU5tR0lbLWlDMmcvQXFFLC0mUGtZP1hebk9ZZ0BZX2BlcVo8LF5KPF1kLCI9KWRbLUdSRmI2T0ZwYlhHbkRxRUdxRV1lYFVmKE0mbi1ZIkBVYWskTj4zcl8hSExFUHVjaCI/cTttPzFUVGA4RGFwK0lqKEEjaC88VjxsO29HXXRySW5kPlZLSzkjNWpaKS5hdUVoZC9IQScnKVdiWSRBWSplP003LFFdR2FhRGI2TDclXmZkYygmSDZJLWNiOm9fLmJhXSRtdF8rKTBqKzxWazpybU4lIkVHRHE2NlxtZUtvVzhybDxhTWVjSDFjVj84YV9DcENCUjssNzZnJXMiIVhJRWpxXGZZSTdaU0lqUWdsX1AzOWIrdVN0c0NsZD5kPlxPSlAoXWJFVCMpcUEqcF84Z05hNW8tWl1mOVAtSG1HLWQnJSVmc0ZBKjApWU9fYkN1QmhWXzZNKmtDSks/dVNiT19oRE1tNk5nM01IRj9PLS0pPVA4Szp0MFptJl8rJEQ9Ti1nVUBTVmgjajlPJkNrMlFFVGltbV9qSV9qMHBEPilIaFVGIWczKUNLUkVNQ25PXWc+ZV06KG0+YFg4bW11LylsOjJpRUtxRUNyUEdRQSszXTFPNStNakw5OlBLVi1mRG48MENROm9KY09WNjtocDJuYFA6Zm5eWiJpPThyOjttMktJfj5lbmRzdHJlYW0KZW5kb2JqCjEzIDAgb2JqCjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXSAvTGVuZ3RoIDE2OTEKPj4Kc3RyZWFtCkdhdTBEOTY4aUcmQUokQ20lbVcuai5MWFs/dUFdOUJkXSlhQ2hrQVFWP19kKypmMzk3LFw1SSpeJ2JMSkE7KGBKNydYY1okMS1eLCYmO1dUInIpUGlwbitfaj87OUBlMltnT1lhVUZPXiZnbSkqTzMscihYM2VhTScsQSksaU5cO3NuLHBfV0NANjRIRkhCQ3BQQ3VMPSkraDMwQlF0ITwrMCkvWVtYX0xgSlFsNlxzLWlVbUFZR1gxTFUtYlNEYlAnLWNJVVFHcTE/QmI3OW1BUkRNJUF0UTcuKF5WTzMsLGZsRmcvQ15tOElZVWdpM2lUdWRrSz83Ym40U00pT2NtVldxO3FWYSRJTlgjcithO1MmTGNuYXNCVmJsMUwjIlMtNTdOZy5uLSNrVS50SzZAWjRdc2BbSUI7cD0wQCMzVlZfdFk3aWVrOW5cXXBfaSdob0UsYlwxLyoxSXNSOld0M0lQLzJQQUpAJ1FZZiUoUENCPUhqY184PVxhZXJlVGokKzZoOEZaJk5PRD8wdDQ8RVwnKmpKRj1hTzBHcl1YQjNXaEViMCJrYGpMclVpL2FrKFBqWlQwKXRcbS1YVE5MTmhIU1gjQzVqIk0zImxUNSImJmlQQm8nRW1NP2omKU9HLlxhXigyQ1s6Qk1wWV8tKkY3ZyIvcmsrMFUxaXBvSWhUJFVJWjo0Nm4mIzw7PU5KcUtiXCgwTDZRNS5yZlBxLjFHRXNZZ1BBXHBqRyQtJ3E+XC1DSTNHZzsrJUM4T0FuXVQ3IT1rIixLVzFqXDY9Ujw5Nio9L15MUkJxQ0RePm5FVFAmITtxTVxIOyppWUNQWWhvZkFnOF8hLGJjOTc0OTxSYComMj42KDMhP0RrbTVNMytpX1Q+amAncFJebDRHU2FRK1AkXU8uZ0JWX0RfV18mMS8zUiNHS0BPb2BaN0BbJnU4aEAyZU1JQmE6TV5NWWI0Ty5dSGJKUSszajBmSWE2S0MnPnA+USJAPDFXUz1EPSUnc29XcG1UIV9cdHFbTT4kZkZFczs7PlxFLFVIKSpSPytZTCkkPTVPISJcRE1OOCJhdSFOZm8tcGNVP1JLXmo6cFQ5T1hzLCRJUm5DYTNEMnAiNSpgRy5mLTE3T09dczNpQmdUVixGPVspIUApbUE/cV5FTDtIWHJgLW1jSGFNSTtXcDlYNFhPTWptITMvNSRxN0hOUDVZLD5mSlluOGV1VTckb3NCMi5pTEMqPSxwcTpaQ1FDbFwxcjYpIy81PGVHKmFBanM1Sm9gMVIyZSNoanIwPl9nJSxkU3MwW1FPWFlIQCFQXDluYU44W01KTkZBWTAzRFkuPyhtZUJAL0FqMCw4OkpAQV8ic2NbYGMxUCdnR3AxMWdWMVwhTC9bXUAhKGpqVz5bXz5rQmlpbzFnW1dVNU9jSlpbLFU0XmtRYT0odCpqdHBoXFFXOCU3T3UtQVghT3VWRDxVTENCNT0/IVVzYDI7RnI8UGlfOWIjQHJYWDJFLSplPWhEUG5xWEdiTFVbZiRsRiwuPldpSWRLazR0TmxlLiNjcjtFRyNXUGdLITxKSlZKOmdzUSR0RGldVihuYzY/dUEhP2krbjY6ISE7YzFqW25DMDRSYUZCTEVjcWc5ZF1YR1FVaUdpbTtwXG4zX0pDLztfJFg7RyRlbkpDSSYqSkUyPGc8bWQiXDtML2M+IUYrO1IqXjxUals5cVtnbUZcMk1iKElXXk5xXS9EQCIvN0Y0aGh1WEZmaCkyYWQ2R2w/NU8jcCVXMVczWio7YVhqZ2ghI09lWVt0b0U2XlZXWy5nQ0RzOEdwazl0OjNAWEcpWGRFKj5LKGknalVXJ0lVJi8jX1RuNypOWl9wbkJLLF00SmpjSVlYUSpuJXJYN3BDRVouUk9Tb3RbUjFOT1koSSwraSQzQik9YTVEI0NcRnAtKTYvc1YrVlRbWjo8anAqSktjNjBwTWdYJ0VLaXBGZ1IyVCw3cChwMz4sL3IzT3BedV5PLSY3QyM3VGNbMGInTVlJZUFnLChwXWI+MU06RSZqYSlZRC5AO1JvOXFCW1t1JT0odEFNQWk/PCdXIi8yOEQhay9XODg6bEEiJWRSQ0tRcTJNZyYydGdfLlZLUXQjODtKZ14nKHFJImVxOm4ndS0vYzo9Ty1nUHMsTDBXcmVsVEhpWWFxOUtPKj1DJlgiV2lhaGciXkNaTWpXTHRhVV1GNlVRQ0cwZ1RKWzVGKmckO2k5RU9oQiNWK34+ZW5kc3RyZWFtCmVuZG9iagoxNCAwIG9iago8PAovRmlsdGVyIFsgL0FTQ0lJODVEZWNvZGUgL0ZsYXRlRGVjb2RlIF0gL0xlbmd0aCA3NzQKPj4Kc3RyZWFtCkdhdFVwOk5PdT0mQjQsOideby5rPHFXKjtGYUJlYjRuU2wkVkoiRmNhLmciUSxVSz5GU3NBWS9SZlVZczE2WSxfYytfYHNYY3QkZ0c4YF04JlwrdWBFS19UazpqNUdoQFk9TG0rNm8mbi1TXmRYJmsqM1QsJFJEWU8iVksmZ0tqU01cZERbaFUrND8uSzcjMmxXXnNZaExzbkdkXUkvXWE9U1NJUWhySGErIk9sPlRmRVhAV0xAQyQ+OF9gaz0yNWJbVGxhKXNAT2w+KE84RFY6LlZmbURbJWFrdVM1KjVLZk1EcUtLVFJJZ3VJRl8sVCxwRnFMOCk8N1BQIUFOJ0orUidNXWpEUFNXLzwnOzwjZVlCcHVPQ0lqOG1XS1hFKDJKX0M+WWZkZ2IuYWZCZiYsN19fZHJbOHFWTFdgSF06VWJcYFsnSW5dcmFLKUM5PUVESnIsXERuNDFyXXM2SXRbLSE5OUMpRmtURDZfVjw8akFZKVZtOSopTHI5SytUVEhdN1Rbcm51RiRtOklEUF02InQpbV9KZW43cDYlaF9SMkVbczszLT0wRWlFWHRwPVgsIiFkRD86ZyhyLVtbPlduZmRaMltoZjZbYHNlMmhQJVMyJDFLXyxLa2JZSGlLMVMpPF4tTWxKMWBmX21tdFQvITlhZmRPTFwjU1Y/IXAtKiJPbmZUdDc2ITA6RSV1SjxzMy8yRSkwZVcoTlIoW0NlXm1yWXVMa0JEdVtuKE1KVCVVaXJbNSxaP25zND1fJ2YwVjBqNDwyP2BrdE0lYWlOLnNpUTR1PVRdT2daMVwhRFtNVy1rP1wlbyphZVBFZ1dUVGY+XCdxOSY/L1BiKiIiLzIhQC9nQk1ybEE4TSNpI1UmRFRBcCR0V3FIPTItVCNFaEhRKkJNMmhFcEBdQ2dvX1pLa0hsM0IyWGxGV0stUDMxYUg6L10/OG8kXF9Wc0sqMD9UTCU4cGklYEVEPFhMSExlcVhzREcuWFVTdFM7N1trKEQpUWYqMU1TRW4kcm1cM1d+PmVuZHN0cmVhbQplbmRvYmoKeHJlZgowIDE1CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDA2MSAwMDAwMCBuIAowMDAwMDAwMTIyIDAwMDAwIG4gCjAwMDAwMDAyMjkgMDAwMDAgbiAKMDAwMDAwMDMzOCAwMDAwMCBuIAowMDAwMDAwNDQ2IDAwMDAwIG4gCjAwMDAwMDA1NTYgMDAwMDAgbiAKMDAwMDAwMDc2MSAwMDAwMCBuIAowMDAwMDAwOTY2IDAwMDAwIG4gCjAwMDAwMDExNzEgMDAwMDAgbiAKMDAwMDAwMTI0MCAwMDAwMCBuIAowMDAwMDAxNjU2IDAwMDAwIG4gCjAwMDAwMDE3MjggMDAwMDAgbiAKMDAwMDAwMzMzMSAwMDAwMCBuIAowMDAwMDA1MTE0IDAwMDAwIG4gCnRyYWlsZXIKPDwKL0lEIApbPDYwNDFmMzI3MTQyMjgwNjZjZmI4ZDdkODBhZGJlY2VkPjw2MDQxZjMyNzE0MjI4MDY2Y2ZiOGQ3ZDgwYWRiZWNlZD5dCiUgUmVwb3J0TGFiIGdlbmVyYXRlZCBQREYgZG9jdW1lbnQgLS0gZGlnZXN0IChvcGVuc291cmNlKQoKL0luZm8gMTAgMCBSCi9Sb290IDkgMCBSCi9TaXplIDE1Cj4+CnN0YXJ0eHJlZgo1OTc5CiUlRU9GCg=="
 },
 {
  "path": "papers/2022-night-wind.pdf",
  "base64": "JVBERi0xLjQKJZOMi54gUmVwb3J0TGFiIEdlbmVyYXRlZCBQREYgZG9jdW1lbnQgKG9wZW5zb3VyY2UpCjEgMCBvYmoKPDwKL0YxIDIgMCBSIC9GMiAzIDAgUiAvRjMgNCAwIFIgL0Y0IDUgMCBSCj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9CYXNlRm9udCAvSGVsdmV0aWNhIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GMSAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0Jhc2VGb250IC9UaW1lcy1Sb21hbiAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjIgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago0IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtQm9sZCAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjMgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago1IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtSXRhbGljIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GNCAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0NvbnRlbnRzIDExIDAgUiAvTWVkaWFCb3ggWyAwIDAgNTk1LjI3NTYgODQxLjg4OTggXSAvUGFyZW50IDEwIDAgUiAvUmVzb3VyY2VzIDw8Ci9Gb250IDEgMCBSIC9Qcm9jU2V0IFsgL1BERiAvVGV4dCAvSW1hZ2VCIC9JbWFnZUMgL0ltYWdlSSBdCj4+IC9Sb3RhdGUgMCAvVHJhbnMgPDwKCj4+IAogIC9UeXBlIC9QYWdlCj4+CmVuZG9iago3IDAgb2JqCjw8Ci9Db250ZW50cyAxMiAwIFIgL01lZGlhQm94IFsgMCAwIDU5NS4yNzU2IDg0MS44ODk4IF0gL1BhcmVudCAxMCAwIFIgL1Jlc291cmNlcyA8PAovRm9udCAxIDAgUiAvUHJvY1NldCBbIC9QREYgL1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PiAvUm90YXRlIDAgL1RyYW5zIDw8Cgo+PiAKICAvVHlwZSAvUGFnZQo+PgplbmRvYmoKOCAwIG9iago8PAovUGFnZU1vZGUgL1VzZU5vbmUgL1BhZ2VzIDEwIDAgUiAvVHlwZSAvQ2F0YWxvZwo+PgplbmRvYmoKOSAwIG9iago8PAovQXV0aG9yIChTLiBIYWRkYWQsIEEuIE1vcmVhdSkgL0NyZWF0aW9uRGF0ZSAoRDoyMDAwMDEwMTAwMDAwMCswMCcwMCcpIC9DcmVhdG9yIChcKHVuc3BlY2lmaWVkXCkpIC9LZXl3b3JkcyAoKSAvTW9kRGF0ZSAoRDoyMDAwMDEwMTAwMDAwMCswMCcwMCcpIC9Qcm9kdWNlciAoUmVwb3J0TGFiIFBERiBMaWJyYXJ5IC0gXChvcGVuc291cmNlXCkpIAogIC9TdWJqZWN0IChXcml0dGVuIGZvciB0aGUgZXhhbXBsZSBvZiBXb3Jrc3BhY2UgUmVzZWFyY2guIFRoZSB0b3duLCB0aGUgcGVvcGxlLCBhbmQgdGhlIGZpZ3VyZXMgYXJlIGludmVudGVkLikgL1RpdGxlIChOaWdodCB3aW5kIGFsb25nIHRoZSByaXZlciBwYXRoKSAvVHJhcHBlZCAvRmFsc2UKPj4KZW5kb2JqCjEwIDAgb2JqCjw8Ci9Db3VudCAyIC9LaWRzIFsgNiAwIFIgNyAwIFIgXSAvVHlwZSAvUGFnZXMKPj4KZW5kb2JqCjExIDAgb2JqCjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXSAvTGVuZ3RoIDExMzcKPj4Kc3RyZWFtCkdhdFUxOWxLJk0mQUA3LmJZXXJzL2tMSW5sN0VyM0JTI1JlXStMLHQwPTNVJmVCIkFOVW5bX0NHPVk6RS5ucFRYRlQ9TU9PSVM5JGhFMi8nb0klTk1yV3IidUtGZGVZS1M4bXIsJTFlQl5WX19kYypzL1JPY1puK0tLLDA6THJKPFRZQ0I6NnBQOmlHUUVyXXM2aXFBRVo5NzVqbi5EQmJkbE43SSo0LGF1K1EyL0JHajVrNCE/U1hvWjchJU1wa2ZpUGZmJz0zPjJvMixEbzFLSUMwSjRNZVE6YCpkKzNoOCRkJ1UhckE0LVcvK3MoMEltTm4qI0M6cUpRKDNdPEdfSlVsL0guc15KJmUvKmZYRkdwbmhjRSw8Pj1SPV1Jb0M4MzluRDAkbVBHKlArYlQ9Xyw/RCsuRTBJO1U8ZF00MyNHaiRYdWJDaiFQVzk/ZEQvPmFBcUJMJEg8V1otMkQ0ZWhZJ0BnS0ouTkMnKmBucj4rcjRZKG90XUtlPEU2JSs0aFlGcjhLMVYyciRlcyhnblgrWDdkREczbGU4K1MjYlNMbF0pZyRNciFuIiNpZFg+QFpKa3JWImsjQT0+YnAqZ0BjPS8sIk1sQHNhTD4hKzFbPD1tNHBjM1goOEJRU0Zba2NTNyhMcTdaNmsvYlhaS0BdSk8/PiokUGRBKG9fX2o3Kk0wdCJyMCs7cUY6XDgvb0VNdVZhWUopZEFhLDZLQDBOYzskS1c8PTk9SFlpWjJaYSQ+TSIrSSg0MypBLG1EMFE6XzItMnJcNCxsSk5uYzI1KmExSm45QDlwKi9QR1dUQCFtNUM5MyFCUkVFZyZodGMpP1BxcSYmJU1WNFlRTEdfU0hMU1A/bUFkVXUvTmIySi4oOTpRYk4/LCgxXk9CPjkmKz8rUC9RaDRCSGVhIStEM0BLND1RRENgcy9OLTprYjZaWGpMSTtQU2BkOCd1Y0Q5MCZmVFI3T0FiXk5KbC9LRV8xIzoxNitKKWs4Vz5LJT8yRi1rTl8hW0M1Olo/JGZbYStbNGRgYWkvXWJlXjVJT3NYOzh0MDlPLi40OEpsXCQmSC5jNTMlY0haPzVfTi9MN1NnUDs0VCdOX251TkxBLVUybiVPaUs9KC9PKnVfLHM9aUcsNkBhSFBfQkZvaF8zR0MwX3QuX3MkZFs3RD5JWl4hYHNdLShrSGgxPzlJZSZUTzg0PW1qbUxjL2VuJFFSJF0mOCtjKT5tamxoQy8mXz90RG9jbnE3ZW41WlxrdSFmUUw1Ti9MRys5QF9aTlVJLj5kSnBqMWhIZ2pNWC00TzReaTJjMUglbGByIVYjQVkqbC4sX0dRXk8+PDIub15IXmolQGBcVVJUVCtFIydxSSVXWGtzUVtdZD9kVVROJlFXKUovT21WIjdPQ2hNSiVWQSYzIzVIW0Y7W00/TEVFNzJANk4jcTlIaz1aViwuRmJhZzYxRyQ4WEkqIyUtVm0wTD10MXFPJSc6Jj5yNEtfLyI1TmVWWmc6N1Z+PmVuZHN0cmVhbQplbmRvYmoKMTIgMCBvYmoKPDwKL0ZpbHRlciBbIC9BU0NJSTg1RGVjb2RlIC9GbGF0ZURlY29kZSBdIC9MZW5ndGggNjA2Cj4+CnN0cmVhbQpHYXNKTzYnJUtoJjtCVEsoJTdNai8oXU1AZlA9UWo8Mm0iTCgrR1RgMyYjbHBKNkNvY2syMUFWZlFJcTEnVGA7TmoqPlJXITxwVENSXWYtYkkqRC0+WlwiJ3I9JjlqQDYyaFVrbyUhPkhOXlVyVjE1RFpdUUI2cGMiNHFgdUxIVEFhZkxoOiZXUy9LLyhNVDErMCYwbUtGMmlSbDstPS5dJkVvMkNMNmMzdG0mWU9QI0AubWlkUmAoLE5Ca2M8aEc0JSpTMzJucGdjT2A2U0NhJSoldXMrbTdram4oSDtDQV5MXHMrJXBWSCZEMmI+OUs5KCZuPDcnRGMnRTZKOW9WaTE6ZFUtdDtYMHIqYTRTQVVcMTkjTGEsYS9pYUlcQTFdPVdjYTgrVUhTQSpbV1dRQlssK2lJZDs/Ozk9WSwvJlpXJVI1UGBYV1ZrL1Jlb0knTmNjISZRRXVgWkUtUiZUcl5qJCUrYDwiJzdIIz4iMmk4cDlhMk8wSCZiJUFDdUdcRmpkRVRqKjBXVm1cTDovWyk/ImFNcz1odC4ic2drLS5nWDhLNV1JLE9pT1pnIiVzJGdfUTN0bDQ+X0BfMm5oRytXW2JbNlBGbVlyLGY6ImI8SHNJI3ElLEFnUW86SC5APCFJKFNxc0g2U0xKQCJmY049JzZES1RwaEtqOlBVcGZCbk4jL3Q2VnFMR2ReUFJDO1NMMm9HRC8maW1BOzorRU5NW3RbYm1eREVpMmJHSChfQ2FFcipvPFdUQmw5YVNiSkFnMGFiZjVRSS1eMXFgZUFVYTZHPkJlLTo3fj5lbmRzdHJlYW0KZW5kb2JqCnhyZWYKMCAxMwowMDAwMDAwMDAwIDY1NTM1IGYgCjAwMDAwMDAwNjEgMDAwMDAgbiAKMDAwMDAwMDEyMiAwMDAwMCBuIAowMDAwMDAwMjI5IDAwMDAwIG4gCjAwMDAwMDAzMzggMDAwMDAgbiAKMDAwMDAwMDQ0NiAwMDAwMCBuIAowMDAwMDAwNTU2IDAwMDAwIG4gCjAwMDAwMDA3NjEgMDAwMDAgbiAKMDAwMDAwMDk2NiAwMDAwMCBuIAowMDAwMDAxMDM1IDAwMDAwIG4gCjAwMDAwMDE0MjMgMDAwMDAgbiAKMDAwMDAwMTQ4OSAwMDAwMCBuIAowMDAwMDAyNzE4IDAwMDAwIG4gCnRyYWlsZXIKPDwKL0lEIApbPDJhYTMwNDk1MTYxMzIxMzc5ZmRlMWRhNTg2MzEwNzk2PjwyYWEzMDQ5NTE2MTMyMTM3OWZkZTFkYTU4NjMxMDc5Nj5dCiUgUmVwb3J0TGFiIGdlbmVyYXRlZCBQREYgZG9jdW1lbnQgLS0gZGlnZXN0IChvcGVuc291cmNlKQoKL0luZm8gOSAwIFIKL1Jvb3QgOCAwIFIKL1NpemUgMTMKPj4Kc3RhcnR4cmVmCjM0MTUKJSVFT0YK"
 },
 {
  "path": "papers/2022-pale-roofs.pdf",
  "base64": "JVBERi0xLjQKJZOMi54gUmVwb3J0TGFiIEdlbmVyYXRlZCBQREYgZG9jdW1lbnQgKG9wZW5zb3VyY2UpCjEgMCBvYmoKPDwKL0YxIDIgMCBSIC9GMiAzIDAgUiAvRjMgNCAwIFIgL0Y0IDUgMCBSCj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9CYXNlRm9udCAvSGVsdmV0aWNhIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GMSAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0Jhc2VGb250IC9UaW1lcy1Sb21hbiAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjIgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago0IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtQm9sZCAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjMgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago1IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtSXRhbGljIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GNCAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0NvbnRlbnRzIDExIDAgUiAvTWVkaWFCb3ggWyAwIDAgNTk1LjI3NTYgODQxLjg4OTggXSAvUGFyZW50IDEwIDAgUiAvUmVzb3VyY2VzIDw8Ci9Gb250IDEgMCBSIC9Qcm9jU2V0IFsgL1BERiAvVGV4dCAvSW1hZ2VCIC9JbWFnZUMgL0ltYWdlSSBdCj4+IC9Sb3RhdGUgMCAvVHJhbnMgPDwKCj4+IAogIC9UeXBlIC9QYWdlCj4+CmVuZG9iago3IDAgb2JqCjw8Ci9Db250ZW50cyAxMiAwIFIgL01lZGlhQm94IFsgMCAwIDU5NS4yNzU2IDg0MS44ODk4IF0gL1BhcmVudCAxMCAwIFIgL1Jlc291cmNlcyA8PAovRm9udCAxIDAgUiAvUHJvY1NldCBbIC9QREYgL1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PiAvUm90YXRlIDAgL1RyYW5zIDw8Cgo+PiAKICAvVHlwZSAvUGFnZQo+PgplbmRvYmoKOCAwIG9iago8PAovUGFnZU1vZGUgL1VzZU5vbmUgL1BhZ2VzIDEwIDAgUiAvVHlwZSAvQ2F0YWxvZwo+PgplbmRvYmoKOSAwIG9iago8PAovQXV0aG9yIChSLiBPa2Fmb3IsIEwuIEJyYW5kdCkgL0NyZWF0aW9uRGF0ZSAoRDoyMDAwMDEwMTAwMDAwMCswMCcwMCcpIC9DcmVhdG9yIChcKHVuc3BlY2lmaWVkXCkpIC9LZXl3b3JkcyAoKSAvTW9kRGF0ZSAoRDoyMDAwMDEwMTAwMDAwMCswMCcwMCcpIC9Qcm9kdWNlciAoUmVwb3J0TGFiIFBERiBMaWJyYXJ5IC0gXChvcGVuc291cmNlXCkpIAogIC9TdWJqZWN0IChXcml0dGVuIGZvciB0aGUgZXhhbXBsZSBvZiBXb3Jrc3BhY2UgUmVzZWFyY2guIFRoZSB0b3duLCB0aGUgcGVvcGxlLCBhbmQgdGhlIGZpZ3VyZXMgYXJlIGludmVudGVkLikgL1RpdGxlIChQYWxlIHJvb2ZzIG9uIHR3byBzY2hvb2wgYnVpbGRpbmdzKSAvVHJhcHBlZCAvRmFsc2UKPj4KZW5kb2JqCjEwIDAgb2JqCjw8Ci9Db3VudCAyIC9LaWRzIFsgNiAwIFIgNyAwIFIgXSAvVHlwZSAvUGFnZXMKPj4KZW5kb2JqCjExIDAgb2JqCjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXSAvTGVuZ3RoIDEwMzkKPj4Kc3RyZWFtCkdhdFUxOXA9PGklKSksNV5zVlE5MSpsTyQuQ1gsakhnJTgiUnFRQ2VeIUlDLlgiMDtCOFpoJCY/XV9SMGJMdCpPKUpkP1kiOyNnbkhbbDk9XGpaSiFIW3R1I2hFMiZUJnVtZ0ZQYmgzKUpEW0FyMC9xOSZUalYiW0VALV9uUUdhOz1zNFUxLCxFPChyUy8kPCU7RmpFRyhFJy1kNFkuWGtsVEp1YilbaCtRSjZ1PGtsT184WSpmWVNnNCZtTVE2QU5fNz42WWhRR2RIIzJkPFVNJUh1RD04LTllV2ZjIVxxTVozW1JdN2RbSGheSGhIRjw1L1gxKE1HU0dSRTNOJDF1Y0NKRF50Ujk0WzNDX1ZBVW5pLCwmJiJSN0hrXTlGYGYsUnRoLDcmSzJzKlJuQ3NdVCZnakNXczA+aC5COmM2WlpdXzVwcTZdMERpTyFoMjctWjxsQV85cGdzJlZhP25YbTJZPHRyUEJJTzNBZE1ubE88ZzxDZGcqWyhIVDJhX25bLk9OUkhWNjo9cmZSIWgqbWowZWlJNkNRPy8kbGpuPkdnP0RGJjpsY11EY09eQ04/TmI2dUItODxdOVhPWSZAWzZyNyh1SygxWmpNXjtAIixPM29oNSYsJ2UoKUhAPmM8RjxHT25CakthXyhWckZkLG0+MkxaTkNwSiZoPkBsdTBsOiMmIU5QVT9RSSQzIWJWPTxpSEJJXUFTOjFqPkkwPz1wL0IlaCE2MTozLUFfZCE0KCguR0EpZyY3dCZNSW51YjRMSShLJzglMXRAVnMmOylGNTg7LmtaJi1EbSoncEVGal4lPypcMWgnKTE7LG5kR0sqQU4jZWpfO0lJNyxYI3MpXDFpMz5gTVFBOG8jLCtRSyMtMWVcSl4mbEoxMEo+Xl0iVVlCK3VmKSYtaD4oKDZIJTpNN2J1cnQ4JGkjO10mVGEyOF5DUFxgPHIjR0tvQmpVOFtZZ1ApbllDWjVeLWtUTTNQPz41RUJPYl07JTlyKDhEYUldYGdjPmZYRV05I2dPQklMS2RsKWIpXlloQkhhYyFBWzM7YCYxTG5tSWN1cGY8TSI2cE0oMEJRTmdoVEIsIlY5WEVsJlU2JUolREtZLmVqK1E4K2BEbCglQTE1XEZRbz0+SlVuWVMjXD4uRlthTUQ0VCc9NV44UzI1PSlkZj5DNVNILFEqTlVwLiRNSWpvOzBJa0Q8SDBZbmQjc3BJUDw0LDFgQ1VNY2kvPGU9W2JmPTdfOFVDVyhzci1gPEIsPVxia0hkQVZbWmMvb2MqYkgwV3NoSG4/RClYUykzI1I2P2AsQzlaQixkIUlUQzxCKk4lPz9iJlFwUDolMWo+OCc8azE2TEBHSnREOWRBSGsjTnFLcyRpfj5lbmRzdHJlYW0KZW5kb2JqCjEyIDAgb2JqCjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXSAvTGVuZ3RoIDgzNQo+PgpzdHJlYW0KR2F0VTA5bEpjPyUpKUM6bkNTMkAtSj5aYW0nWz9CME9VNFYjKCJya1owPkFrLz5cTmIvSDowcFAnMFBzLy1RcHNyWF5NQW5pYC1DLFtEblddKltDbyRoKGhbOl4rMy5XLmU+PXFdM0RYKFVrNDY7RXVKLENtKE1QUlJFUW5uRlJTVl1MTnRDUTtUUF5YVk9hOTcsOmgqJVxEVkwzZ2MvWV87R0VrJkhWcHFCa249WSE3c0VpYDMmRz1JVVlcY1xrdF5jMCQzUzs8SGQ1bi1mNkgkWTBaIVhmdXNJQWteWydyKlAtcDtHUVs+T0JdIWonTy5yVFwuOSpeJCZsJW87cSQzYm8mOjhoYUk5QSNIPCkjcWBPXWM7ZkJwb1osLT40VSs4bi48XTxtPVRMUUNRJzU7Wm89X2hZUmpbbj1FLUxiSG0iPkZUPHNYVz0yaV9TPl88M1o9c1ExbUVTJ2UoQzpfZTQtNkIvRSRDMHEuMltaNyhaTHFvbGUwcUlcNHFXOXFBbzpmNFMzNSYwVkJYRm9cLzFHNC42L0YiQ01MIWd1Zmg6KUJIY0huWi9WTUIpcyh0R1pzKEA2XHJoaGdrMUhaLEsyS1JDUUFQRmtGX3B0MTdcUD0+J29KR1tzOWouSj0rOSNpcCwnMFVmdFFIKyZgWk5UN15HaENYVzFjVFNxZWxraStWMVBgVSNmPDk2Q3U5IW4xTk9VQ2BWMzlZJUdLOSciJiFUTkxqJ2c8ZDxfPVZWZmw6KXNmLWVOLVJkPXImLz9LXVJeRV1UWTdAXEYwNGE6a1xvRWssam9TUGBQWCNdcC85UjtYZC5pMFI9OD9vJlZLP1VHYDc4NCtbQ0UzUnRAU1NNXConTl8iUWdHKmwtPSJyIztdNF5CbC9LVGItcytFSTViLWQ2Uy1iMF85aE1fa1RMXGotPl1QanBhUyFTcjVsO3JkSU9rP2hDRiM7YUVhL1lVIilGKixBbXFDakpBUS5ePz1aNzdAXE1wSCsyIUx0YU5OXCs3R2FOQlE3W2ssKW4xQ3AqbTswQSc2ZChRUCVeRClNVG05T0pUQUNmcixaODtrQyU3R1g4OidpS3IoZixiYEYkJlBXMmZ+PmVuZHN0cmVhbQplbmRvYmoKeHJlZgowIDEzCjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDA2MSAwMDAwMCBuIAowMDAwMDAwMTIyIDAwMDAwIG4gCjAwMDAwMDAyMjkgMDAwMDAgbiAKMDAwMDAwMDMzOCAwMDAwMCBuIAowMDAwMDAwNDQ2IDAwMDAwIG4gCjAwMDAwMDA1NTYgMDAwMDAgbiAKMDAwMDAwMDc2MSAwMDAwMCBuIAowMDAwMDAwOTY2IDAwMDAwIG4gCjAwMDAwMDEwMzUgMDAwMDAgbiAKMDAwMDAwMTQyNiAwMDAwMCBuIAowMDAwMDAxNDkyIDAwMDAwIG4gCjAwMDAwMDI2MjMgMDAwMDAgbiAKdHJhaWxlcgo8PAovSUQgCls8MjRkYTY4MGY2YmVkMGJkOTQwZTc5NzBjZGVlNmM2ZTY+PDI0ZGE2ODBmNmJlZDBiZDk0MGU3OTcwY2RlZTZjNmU2Pl0KJSBSZXBvcnRMYWIgZ2VuZXJhdGVkIFBERiBkb2N1bWVudCAtLSBkaWdlc3QgKG9wZW5zb3VyY2UpCgovSW5mbyA5IDAgUgovUm9vdCA4IDAgUgovU2l6ZSAxMwo+PgpzdGFydHhyZWYKMzU0OQolJUVPRgo="
 },
 {
  "path": "papers/2023-misting.pdf",
  "base64": "JVBERi0xLjQKJZOMi54gUmVwb3J0TGFiIEdlbmVyYXRlZCBQREYgZG9jdW1lbnQgKG9wZW5zb3VyY2UpCjEgMCBvYmoKPDwKL0YxIDIgMCBSIC9GMiAzIDAgUiAvRjMgNCAwIFIgL0Y0IDUgMCBSCj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9CYXNlRm9udCAvSGVsdmV0aWNhIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GMSAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjMgMCBvYmoKPDwKL0Jhc2VGb250IC9UaW1lcy1Sb21hbiAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjIgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago0IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtQm9sZCAvRW5jb2RpbmcgL1dpbkFuc2lFbmNvZGluZyAvTmFtZSAvRjMgL1N1YnR5cGUgL1R5cGUxIC9UeXBlIC9Gb250Cj4+CmVuZG9iago1IDAgb2JqCjw8Ci9CYXNlRm9udCAvVGltZXMtSXRhbGljIC9FbmNvZGluZyAvV2luQW5zaUVuY29kaW5nIC9OYW1lIC9GNCAvU3VidHlwZSAvVHlwZTEgL1R5cGUgL0ZvbnQKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0NvbnRlbnRzIDExIDAgUiAvTWVkaWFCb3ggWyAwIDAgNTk1LjI3NTYgODQxLjg4OTggXSAvUGFyZW50IDEwIDAgUiAvUmVzb3VyY2VzIDw8Ci9Gb250IDEgMCBSIC9Qcm9jU2V0IFsgL1BERiAvVGV4dCAvSW1hZ2VCIC9JbWFnZUMgL0ltYWdlSSBdCj4+IC9Sb3RhdGUgMCAvVHJhbnMgPDwKCj4+IAogIC9UeXBlIC9QYWdlCj4+CmVuZG9iago3IDAgb2JqCjw8Ci9Db250ZW50cyAxMiAwIFIgL01lZGlhQm94IFsgMCAwIDU5NS4yNzU2IDg0MS44ODk4IF0gL1BhcmVudCAxMCAwIFIgL1Jlc291cmNlcyA8PAovRm9udCAxIDAgUiAvUHJvY1NldCBbIC9QREYgL1RleHQgL0ltYWdlQiAvSW1hZ2VDIC9JbWFnZUkgXQo+PiAvUm90YXRlIDAgL1RyYW5zIDw8Cgo+PiAKICAvVHlwZSAvUGFnZQo+PgplbmRvYmoKOCAwIG9iago8PAovUGFnZU1vZGUgL1VzZU5vbmUgL1BhZ2VzIDEwIDAgUiAvVHlwZSAvQ2F0YWxvZwo+PgplbmRvYmoKOSAwIG9iago8PAovQXV0aG9yIChMLiBCcmFuZHQsIFAuIFZlZ2EpIC9DcmVhdGlvbkRhdGUgKEQ6MjAwMDAxMDEwMDAwMDArMDAnMDAnKSAvQ3JlYXRvciAoXCh1bnNwZWNpZmllZFwpKSAvS2V5d29yZHMgKCkgL01vZERhdGUgKEQ6MjAwMDAxMDEwMDAwMDArMDAnMDAnKSAvUHJvZHVjZXIgKFJlcG9ydExhYiBQREYgTGlicmFyeSAtIFwob3BlbnNvdXJjZVwpKSAKICAvU3ViamVjdCAoV3JpdHRlbiBmb3IgdGhlIGV4YW1wbGUgb2YgV29ya3NwYWNlIFJlc2VhcmNoLiBUaGUgdG93biwgdGhlIHBlb3BsZSwgYW5kIHRoZSBmaWd1cmVzIGFyZSBpbnZlbnRlZC4pIC9UaXRsZSAoTWlzdGluZyBhdCBidXMgc3RvcHM6IGEgdHdvLXdlZWsgdHJpYWwpIC9UcmFwcGVkIC9GYWxzZQo+PgplbmRvYmoKMTAgMCBvYmoKPDwKL0NvdW50IDIgL0tpZHMgWyA2IDAgUiA3IDAgUiBdIC9UeXBlIC9QYWdlcwo+PgplbmRvYmoKMTEgMCBvYmoKPDwKL0ZpbHRlciBbIC9BU0NJSTg1RGVjb2RlIC9GbGF0ZURlY29kZSBdIC9MZW5ndGggOTM2Cj4+CnN0cmVhbQpHYXRVMTlpS2UjJkFAWmNoRCtEbl9RcjJURE05TnAlVCQ9a2ModTVxOyViZ3InZE5xYl5WMjNZI21tSFRCcDRzNG06dUNfSFonWFpKPWJRMlE0N2U6aTpyZ3BMRj9jbSw7cWwuSlBYODRtPypIX2FCN2RyIT1MaDAoQVMzLF5bJkVsX2AmJVFKN1Y8aDd1MjJPQThza2cpW3NgdFo8IkUkLjFObk5PUz5KUGVJbFZPWi1sOk8mdUVOKkJyJyw7SnRcaE9YMUVLPFA/MVhabUxaK2BxWDpiKl49TF50QlNpYiZQSEMqS3AoIyY7J15tJ2g0WiUtcTBIVEUnZC4iYTBZO0dlW0hhOkpaTmFlPG49W1o0ZDM6UG5FMGElMkthNislWmsoakAtOWlOOlxKZ0A0PDB1YChWMTpDclwmL0xKO0pbJnMkOio8cStvcUBSaSQqLFJSRHBgcWw0Ukt0dSRubHVJP0laazNKYioyVyM7OGpqOlpFSi4kXGhTU1hCSkVlMjhhVnUoXGVSaC5GK2MtLVgqSnFjS19EQTxvUV9TQm5jbkcwXFFPa1hTNkFDOEpeW29oU1U0aj1NV3JSIyNDZkkpUik/YDNOJXFvIy1xbCRrZnBXLidTREdbQSRtXyUwPiRpQTJKNTlGZUokXSkudVQtbTVjWXFKQ04+RUQrSmgncyVKXjckZkNhYjxNckBoVixNVGNZUFU6MVhTTVA1KCMsUDUqZTNnNlFdYVtFLGQwWUkpR0dwaE1bLjlmP2IvWkZNVDcjQipOPmNSV3JOU2RLP2EnVldeLl9oJl45KVAoU1ltc21sdHRiJylqJ2RqJVhZJEgocW5VV2tDJlw5bGAmUDBAKnBBcVBNQilZW0dlV1pbJGx0WF0/UEhbR0xROyw+UkowLygscl48XCVSZmkpXzVhJD4vMFw/Kz9PJjA8QztELyJHKj4yQkM4LXJPUjhfXXFcIl5BXHMlcE9rTT4nNDhELiJSbi5EIWUkRExlNWFQQ3UrWlZKSmxAMlJJNVpRc29xUTtNRFkoTm0sQV5nQlZHa1BsYyRNIi0ocT1oU1hePTFUYVlYT0pYbCxKUkU3NGVsZk83IV9iMFg2Y1M8KHNZKkFXYlVwbWE2RS5NVjxEaTgsTytYUEEyJkNGaC8qUiFoMzdEUkVkRltNa2VvaEFtKG1Fbk1ZYTk+cWVNUz87UmtQVV9BdFhJPzk8cklbJm1vQWtnNDcqaTkyIVdDWE9wfj5lbmRzdHJlYW0KZW5kb2JqCjEyIDAgb2JqCjw8Ci9GaWx0ZXIgWyAvQVNDSUk4NURlY29kZSAvRmxhdGVEZWNvZGUgXSAvTGVuZ3RoIDY2Ngo+PgpzdHJlYW0KR2F0VW86UU5zWSZCNCw6J15uTFcuaGgpUWRqKE9JYCEkalMoRzcmJi1EaktXQ2otIVlrbnVTTUM6YyQjLFQ8WSExYGpFcGhdIzM2cjVlWmglKURgWURhLWs4J19OTSYoSExiVlw/L2dzPGpAZ14mays+dCwhRDhcKC1kJz9DVi5xPGNOOVMoPCtSTSJBNlZvMzdEXXVTPVJXP2JTanIoK0wkbz8/O1txMzxALnI0akhaNTBgI1tiWjhaOnV1S28rSCEobktvbFthUkluJlczTT9OSGVrNUQzQElQSWl1TyxOPjRFTyhHTFVQX2Q3OCkzMV9JJUc1JmxjTT41WGVMcjg+N05IZiNOODwoMycsLlA8KlJJIXMzQT1UQzk0WCxKTCFAP2dsRDNsQSslNSRFKGMzYicxOERlPGFmQT1qWyhSaHBlP0cwcyMtQVExNzVXXnMxZC9HXGFuRmhnTkU0Wis5bUtbUyk3TDVFIyZiUkhEO2U3LiJDZi08JForYlxjcjIjJGA3RVdZXEZuJ2xOJldPXFVcVCdRb25hL2c2bk9eQVReNyoyV0hSPSYqXDtOM1FaL1QnPldILzpQcEZnNiExamsuT1BAIjNgKURaOyk8Kic7LSpVU1pGXStJYDlxMGkpLldiYilqXUNwTF8tN01gSjVsMXNPVF9UPU9zOUk7YDYrIiE6ZmNJIT5dSlFEX1EtTis+b2MtXlZSMnUkTjc0UlYrKjs3bzB0KShyZldHQWMiIk1TOCdXMEJAOzVeL3FgWGZGXzojWWVzQEtMNExRW1AoT1xLWj0pJilFdVovVjY5YTxoV0YtMSldMWQpMmhXWyovSzwmMTVfZFpDPzNxPEk+MSpQQjFUWjk4YGBUZkIqYlZla34+ZW5kc3RyZWFtCmVuZG9iagp4cmVmCjAgMTMKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDYxIDAwMDAwIG4gCjAwMDAwMDAxMjIgMDAwMDAgbiAKMDAwMDAwMDIyOSAwMDAwMCBuIAowMDAwMDAwMzM4IDAwMDAwIG4gCjAwMDAwMDA0NDYgMDAwMDAgbiAKMDAwMDAwMDU1NiAwMDAwMCBuIAowMDAwMDAwNzYxIDAwMDAwIG4gCjAwMDAwMDA5NjYgMDAwMDAgbiAKMDAwMDAwMTAzNSAwMDAwMCBuIAowMDAwMDAxNDI4IDAwMDAwIG4gCjAwMDAwMDE0OTQgMDAwMDAgbiAKMDAwMDAwMjUyMSAwMDAwMCBuIAp0cmFpbGVyCjw8Ci9JRCAKWzxjZGM2MGI0OTAxYzI3NzZmZTc3N2JlNjMyYzkzODIyND48Y2RjNjBiNDkwMWMyNzc2ZmU3NzdiZTYzMmM5MzgyMjQ+XQolIFJlcG9ydExhYiBnZW5lcmF0ZWQgUERGIGRvY3VtZW50IC0tIGRpZ2VzdCAob3BlbnNvdXJjZSkKCi9JbmZvIDkgMCBSCi9Sb290IDggMCBSCi9TaXplIDEzCj4+CnN0YXJ0eHJlZgozMjc4CiUlRU9GCg=="
 },
 {
  "path": "papers/2023-school-yard.html",
  "text": "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A school yard without asphalt</title>\n</head>\n<body>\n<h1>A school yard without asphalt</h1>\n<p><em>P. Vega and R. Okafor · Fernbrook Climate Notes, 2023</em></p>\n<h2>What was done</h2>\n<p>In spring 2023, Fernbrook School replaced a third of the asphalt of its yard with grass, gravel, and 9 field maples.\nParents and pupils did most of the work on four weekends. The material cost 21,000 euros.</p>\n<h2>Heat</h2>\n<p>At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt next to it.\nAir temperature over the yard fell by 0.7 °C, measured at the height of a child.</p>\n<h2>Rain</h2>\n<p>The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.</p>\n<h2>Use</h2>\n<p>Children spend breaks on the grass side, and the ball games moved to the remaining asphalt. In dry weeks the grass needs\nwater twice.</p>\n<p><small>Written for the example of Workspace Research. The town, the people, and the figures are invented.</small></p>\n</body>\n</html>\n"
 },
 {
  "path": "papers/2023-树荫与步行.md",
  "text": "# 树荫与步行：芬布鲁克的一次计数\n\n*林悦、T. Lindqvist · Fernbrook Climate Notes，2023*\n\n## 方法\n\n2023 年 7 月，我们在六个晴天的 14:00 至 17:00 统计了四个路段的行人。两个路段有连续的树荫，另外两个没有。\n\n## 结果\n\n有连续树荫的路段，下午的行人比没有树荫的路段多 38%。差别在 32 °C 以上的日子里最大，在 26 °C 以下的日子里消失。\n\n树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。\n\n## 讨论\n\n连续比数量更重要。同样多的树，种成一条连续的树荫，比分散种植更有用。\n\n---\n\n为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。\n"
 },
 {
  "path": "papers/2024-residents.md",
  "text": "# Hot days in Fernbrook: what residents say\n\n*T. Lindqvist and S. Haddad · Fernbrook Climate Notes, 2024*\n\n## Survey\n\nIn September 2023, 212 residents answered a letter about the summer. They are older than the town as a whole: 61 percent are\nover 60.\n\n## Where people don't go\n\nOf 212 residents, 141 avoid the main street after midday in July. The river path is the place that most of them choose\ninstead.\n\n## What they wish for\n\nShade was named more often than any other measure: 128 residents asked for trees, 47 for roofs at bus stops, and 19 for\ndrinking fountains. Only 6 asked for mist.\n\n## Nights\n\nA third of the residents sleep badly when the night stays above 20 °C. Most of these live around Market Square, where the\nbuildings are closest together.\n\n---\n\nWritten for the example of Workspace Research. The town, the people, and the figures are invented.\n"
 },
 {
  "path": "papers/2024-浅色路面.html",
  "text": "<!doctype html>\n<html lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n<title>浅色路面的一个夏天</title>\n</head>\n<body>\n<h1>浅色路面的一个夏天</h1>\n<p><em>林悦、P. Vega · Fernbrook Climate Notes，2024</em></p>\n<h2>试验</h2>\n<p>2024 年 5 月，磨坊路的一段 120 米长的路面改铺为浅色沥青，相邻的一段保持不变。</p>\n<h2>结果</h2>\n<p>正午时，浅色路面比深色沥青低 8.5 °C。路面上方 1.5 米处的气温只低 0.3 °C。</p>\n<p>在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。</p>\n<h2>结论</h2>\n<p>浅色路面降低的是路面温度，而不是行人感受到的热。有树荫的地方不需要它。</p>\n<p><small>为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。</small></p>\n</body>\n</html>\n"
 },
 {
  "path": "papers/library.bib",
  "text": "@article{moreau2021trees,\n  author  = {Moreau, A. and Lindqvist, T.},\n  title   = {Street trees and afternoon air temperature in Fernbrook},\n  journal = {Fernbrook Climate Notes},\n  year    = {2021},\n  file    = {2021-street-trees.pdf}\n}\n\n@article{okafor2022roofs,\n  author  = {Okafor, R. and Brandt, L.},\n  title   = {Pale roofs on two school buildings},\n  journal = {Fernbrook Climate Notes},\n  year    = {2022},\n  file    = {2022-pale-roofs.pdf}\n}\n\n@article{haddad2022wind,\n  author  = {Haddad, S. and Moreau, A.},\n  title   = {Night wind along the river path},\n  journal = {Fernbrook Climate Notes},\n  year    = {2022},\n  file    = {2022-night-wind.pdf}\n}\n\n@article{brandt2023misting,\n  author  = {Brandt, L. and Vega, P.},\n  title   = {Misting at bus stops: a two-week trial},\n  journal = {Fernbrook Climate Notes},\n  year    = {2023},\n  file    = {2023-misting.pdf}\n}\n"
 }
];

export const EXAMPLES: Record<'en' | 'zh-CN', BuiltExample> = {
 "en": {
  "name": "Example: summer heat",
  "folder": "example",
  "turns": [
   {
    "question": "What cools a street in the afternoon, and by how much?",
    "answer": "Air under a closed canopy was 2.4 °C cooler than air over open asphalt at 15:00 [1]. Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C [2]. Sections with continuous shade had 38% more pedestrians in the afternoon than sections without [3].\n\nOther measures:\n\n- **A school yard:** air temperature over the yard fell by 0.7 °C [4].\n- **Pale asphalt** was 8.5 °C cooler than dark asphalt at noon [5]. Of 96 pedestrians, 41 found the reflected light more glaring [6].\n- **Mist:** two bus stops got mist nozzles for two weeks in July 2023 [7]. The effect on air temperature ended within 3 m of the nozzles [8].\n- **A pale roof** was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler [9]. Street-level air temperature did not change measurably [10].\n\nThe table has 35.4 for Market Square on 16 July 2021 at 15:00 [11].\n\n*Written for this example: no model was asked.*",
    "citations": [
     {
      "index": 1,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 5,
      "endLine": 6,
      "page": 1,
      "quote": "Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00.",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 2,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 42,
      "endLine": 42,
      "page": 2,
      "quote": "Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C.",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 3,
      "path": "papers/2023-树荫与步行.md",
      "startLine": 11,
      "endLine": 11,
      "quote": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
      "fileHash": "9a98594ad9b39db1d04b865a21240fc678b5b906a9eb6f6542adb3bed6ba279a",
      "verified": true,
      "stale": false
     },
     {
      "index": 4,
      "path": "papers/2023-school-yard.html",
      "startLine": 15,
      "endLine": 15,
      "quote": "Air temperature over the yard fell by 0.7 °C, measured at the height of a child.",
      "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
      "verified": true,
      "stale": false
     },
     {
      "index": 5,
      "path": "papers/2024-浅色路面.html",
      "startLine": 13,
      "endLine": 13,
      "quote": "正午时，浅色路面比深色沥青低 8.5 °C。",
      "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
      "verified": true,
      "stale": false
     },
     {
      "index": 6,
      "path": "papers/2024-浅色路面.html",
      "startLine": 14,
      "endLine": 14,
      "quote": "在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。",
      "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
      "verified": true,
      "stale": false
     },
     {
      "index": 7,
      "path": "papers/2023-misting.pdf",
      "startLine": 4,
      "endLine": 4,
      "page": 1,
      "quote": "Two bus stops got mist nozzles for two weeks in July 2023.",
      "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
      "verified": true,
      "stale": false
     },
     {
      "index": 8,
      "path": "papers/2023-misting.pdf",
      "startLine": 15,
      "endLine": 15,
      "page": 2,
      "quote": "The effect on air temperature ended within 3 m of the nozzles.",
      "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
      "verified": true,
      "stale": false
     },
     {
      "index": 9,
      "path": "papers/2022-pale-roofs.pdf",
      "startLine": 5,
      "endLine": 6,
      "page": 1,
      "quote": "the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler",
      "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
      "verified": true,
      "stale": false
     },
     {
      "index": 10,
      "path": "papers/2022-pale-roofs.pdf",
      "startLine": 6,
      "endLine": 6,
      "page": 1,
      "quote": "Street-level air temperature did not change measurably.",
      "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
      "verified": true,
      "stale": false
     },
     {
      "index": 11,
      "path": "data/air-temperature.csv",
      "startLine": 26,
      "endLine": 26,
      "of": 26,
      "quote": "2021-07-16,15:00,0,Market Square,35.4",
      "fileHash": "408dc3c045fa528b92b5f954679f23c386b5c7494fe5b347bca850f5db7eabbb",
      "verified": true,
      "stale": false
     }
    ]
   },
   {
    "question": "Does any of it help at night?",
    "answer": "At 23:00, the tree-lined streets were no cooler than the open ones [1].\n\nOn clear nights, the river wind lowered the air temperature by 1.6 °C within 200 m of the water [2]. Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights [3].\n\n*Written for this example: no model was asked.*",
    "citations": [
     {
      "index": 1,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 49,
      "endLine": 50,
      "page": 3,
      "quote": "at 23:00 the tree-lined streets\nwere no cooler than the open ones",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 2,
      "path": "papers/2022-night-wind.pdf",
      "startLine": 8,
      "endLine": 9,
      "page": 1,
      "quote": "The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water.",
      "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
      "verified": true,
      "stale": false
     },
     {
      "index": 3,
      "path": "papers/2022-night-wind.pdf",
      "startLine": 12,
      "endLine": 13,
      "page": 1,
      "quote": "Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights.",
      "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
      "verified": true,
      "stale": false
     }
    ]
   }
  ],
  "report": {
   "question": "Which measures against summer heat should Fernbrook try first?",
   "plan": {
    "questions": [
     {
      "id": "q1",
      "question": "What cools streets by day?",
      "answeredBy": "Measured differences in air temperature, and how people react."
     },
     {
      "id": "q2",
      "question": "What helps in and around buildings?",
      "answeredBy": "Measurements at the school."
     },
     {
      "id": "q3",
      "question": "What helps at night?",
      "answeredBy": "Measurements after sunset."
     }
    ]
   },
   "evidence": [
    {
     "id": "e1",
     "questionId": "q1",
     "claim": "Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C.",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 42,
     "endLine": 42,
     "quote": "Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e2",
     "questionId": "q1",
     "claim": "Sections with continuous shade had 38% more pedestrians in the afternoon than sections without.",
     "path": "papers/2023-树荫与步行.md",
     "startLine": 11,
     "endLine": 11,
     "quote": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
     "source": {
      "kind": "file",
      "title": "树荫与步行：芬布鲁克的一次计数",
      "authors": [
       "林悦",
       "T. Lindqvist"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e3",
     "questionId": "q1",
     "claim": "A new lime tree takes about 15 years to reach a crown of 6 m.",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 51,
     "endLine": 51,
     "quote": "A new lime tree takes about 15 years to reach a crown of 6 m.",
     "page": 3,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e4",
     "questionId": "q1",
     "claim": "At noon, pale asphalt was 8.5 °C cooler than dark asphalt.",
     "path": "papers/2024-浅色路面.html",
     "startLine": 13,
     "endLine": 13,
     "quote": "正午时，浅色路面比深色沥青低 8.5 °C。",
     "source": {
      "kind": "file",
      "title": "浅色路面的一个夏天",
      "authors": [
       "林悦",
       "P. Vega"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e5",
     "questionId": "q1",
     "claim": "Of 96 pedestrians, 41 found the reflected light more glaring.",
     "path": "papers/2024-浅色路面.html",
     "startLine": 14,
     "endLine": 14,
     "quote": "在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。",
     "source": {
      "kind": "file",
      "title": "浅色路面的一个夏天",
      "authors": [
       "林悦",
       "P. Vega"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e6",
     "questionId": "q1",
     "claim": "Two bus stops got mist nozzles for two weeks in July 2023.",
     "path": "papers/2023-misting.pdf",
     "startLine": 4,
     "endLine": 4,
     "quote": "Two bus stops got mist nozzles for two weeks in July 2023.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e7",
     "questionId": "q1",
     "claim": "The effect on air temperature ended within 3 m of the nozzles.",
     "path": "papers/2023-misting.pdf",
     "startLine": 15,
     "endLine": 15,
     "quote": "The effect on air temperature ended within 3 m of the nozzles.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e8",
     "questionId": "q1",
     "claim": "Each stop used 310 litres of water per day.",
     "path": "papers/2023-misting.pdf",
     "startLine": 18,
     "endLine": 18,
     "quote": "Each stop used 310 litres of water per day.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e9",
     "questionId": "q2",
     "claim": "The pale roof was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler.",
     "path": "papers/2022-pale-roofs.pdf",
     "startLine": 5,
     "endLine": 6,
     "quote": "the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Pale roofs on two school buildings",
      "authors": [
       "R. Okafor",
       "L. Brandt"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e10",
     "questionId": "q2",
     "claim": "A patch that was painted on the gymnasium in 2020 had lost a fifth of its reflectance after two winters.",
     "path": "papers/2022-pale-roofs.pdf",
     "startLine": 21,
     "endLine": 22,
     "quote": "A patch that was painted on the gymnasium in 2020\nshows how it ages: it had lost a fifth of its reflectance after two winters, mostly to moss and dust.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Pale roofs on two school buildings",
      "authors": [
       "R. Okafor",
       "L. Brandt"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e11",
     "questionId": "q2",
     "claim": "Air temperature over the school yard fell by 0.7 °C.",
     "path": "papers/2023-school-yard.html",
     "startLine": 15,
     "endLine": 15,
     "quote": "Air temperature over the yard fell by 0.7 °C, measured at the height of a child.",
     "source": {
      "kind": "file",
      "title": "A school yard without asphalt",
      "authors": [
       "P. Vega",
       "R. Okafor"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e12",
     "questionId": "q2",
     "claim": "The yard now holds 70 percent of the rain of a heavy shower.",
     "path": "papers/2023-school-yard.html",
     "startLine": 17,
     "endLine": 17,
     "quote": "The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.",
     "source": {
      "kind": "file",
      "title": "A school yard without asphalt",
      "authors": [
       "P. Vega",
       "R. Okafor"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e13",
     "questionId": "q3",
     "claim": "On clear nights, the river wind lowered the air temperature by 1.6 °C within 200 m of the water.",
     "path": "papers/2022-night-wind.pdf",
     "startLine": 8,
     "endLine": 9,
     "quote": "The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Night wind along the river path",
      "authors": [
       "S. Haddad",
       "A. Moreau"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e14",
     "questionId": "q3",
     "claim": "Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights.",
     "path": "papers/2022-night-wind.pdf",
     "startLine": 12,
     "endLine": 13,
     "quote": "Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Night wind along the river path",
      "authors": [
       "S. Haddad",
       "A. Moreau"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e15",
     "questionId": "q3",
     "claim": "If the town replaced one of the warehouses with an open yard, a nightly effect between 0.5 and 1 °C is expected there, but it was not modelled.",
     "path": "papers/2022-night-wind.pdf",
     "startLine": 18,
     "endLine": 20,
     "quote": "Two of the warehouses are empty. If the town replaced one of them with an open yard, the river\nwind could reach Market Square. We expect a nightly effect between 0.5 and 1 °C there, as at the\nweighbridge, but we have not modelled it.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Night wind along the river path",
      "authors": [
       "S. Haddad",
       "A. Moreau"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e16",
     "questionId": "q1",
     "claim": "At 15:00, air under a closed canopy was 2.4 °C cooler than air over open asphalt.",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 5,
     "endLine": 6,
     "quote": "Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e17",
     "questionId": "q1",
     "claim": "Of 212 residents, 141 avoid the main street after midday in July.",
     "path": "papers/2024-residents.md",
     "startLine": 12,
     "endLine": 12,
     "quote": "Of 212 residents, 141 avoid the main street after midday in July.",
     "source": {
      "kind": "file",
      "title": "Hot days in Fernbrook: what residents say",
      "authors": [
       "T. Lindqvist",
       "S. Haddad"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e18",
     "questionId": "q1",
     "claim": "At 23:00, the tree-lined streets were no cooler than the open ones.",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 49,
     "endLine": 50,
     "quote": "at 23:00 the tree-lined streets\nwere no cooler than the open ones",
     "page": 3,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    }
   ],
   "extracts": {
    "e1": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "85 31.6 23.4\nChurch Lane 80 31.9 23.5\nStation Road 35 33.8 23.4\nMill Road 0 34.0 23.4\nMarket Square 0 34.3 23.5\nTable 1. Mean air temperature in five streets, 12 to 16 July 2021.\nAlder Church Station Mill Market\n0\n10\n20\n30\n°C\nFigure 1. Mean air temperature at 15:00.\n3.1 How much cover is enough\nBelow 40 percent canopy cover the difference to open asphalt was less than 0.5 °C. Station Road\nhas 35 percent, from 22 young maples: its crowns do not touch, and the sun reaches most of the\nasphalt. We can't say where between 40 and 80 percent the effect begins, because no street is in that\nrange.",
     "firstLine": 28,
     "start": 296
    },
    "e2": {
     "fileHash": "9a98594ad9b39db1d04b865a21240fc678b5b906a9eb6f6542adb3bed6ba279a",
     "text": "# 树荫与步行：芬布鲁克的一次计数\n\n*林悦、T. Lindqvist · Fernbrook Climate Notes，2023*\n\n## 方法\n\n2023 年 7 月，我们在六个晴天的 14:00 至 17:00 统计了四个路段的行人。两个路段有连续的树荫，另外两个没有。\n\n## 结果\n\n有连续树荫的路段，下午的行人比没有树荫的路段多 38%。差别在 32 °C 以上的日子里最大，在 26 °C 以下的日子里消失。\n\n树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。\n\n## 讨论\n\n连续比数量更重要。同样多的树，种成一条连续的树荫，比分散种植更有用。\n\n---\n\n为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。\n",
     "firstLine": 1,
     "start": 148
    },
    "e3": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "4 Discussion\nThe trees cool by shade and by evaporation. Both end in the evening: at 23:00 the tree-lined streets\nwere no cooler than the open ones. Whoever plans for warm nights needs other measures.\nA new lime tree takes about 15 years to reach a crown of 6 m. The council should therefore plant in\nstreets where crowns can close, and not spread single trees over the town.\n5 Limits\nFive days and five streets are few. Street width, the colour of the fronts, and traffic also differ, and\nwe did not measure them. The readings of 15:00 are in the file",
     "firstLine": 48,
     "start": 201
    },
    "e4": {
     "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
     "text": "<!doctype html>\n<html lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n<title>浅色路面的一个夏天</title>\n</head>\n<body>\n<h1>浅色路面的一个夏天</h1>\n<p><em>林悦、P. Vega · Fernbrook Climate Notes，2024</em></p>\n<h2>试验</h2>\n<p>2024 年 5 月，磨坊路的一段 120 米长的路面改铺为浅色沥青，相邻的一段保持不变。</p>\n<h2>结果</h2>\n<p>正午时，浅色路面比深色沥青低 8.5 °C。路面上方 1.5 米处的气温只低 0.3 °C。</p>\n<p>在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。</p>\n<h2>结论</h2>\n<p>浅色路面降低的是路面温度，而不是行人感受到的热。有树荫的地方不需要它。</p>\n<p><small>为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。</small></p>\n</body>\n</html>\n",
     "firstLine": 1,
     "start": 263
    },
    "e5": {
     "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
     "text": "lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n<title>浅色路面的一个夏天</title>\n</head>\n<body>\n<h1>浅色路面的一个夏天</h1>\n<p><em>林悦、P. Vega · Fernbrook Climate Notes，2024</em></p>\n<h2>试验</h2>\n<p>2024 年 5 月，磨坊路的一段 120 米长的路面改铺为浅色沥青，相邻的一段保持不变。</p>\n<h2>结果</h2>\n<p>正午时，浅色路面比深色沥青低 8.5 °C。路面上方 1.5 米处的气温只低 0.3 °C。</p>\n<p>在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。</p>\n<h2>结论</h2>\n<p>浅色路面降低的是路面温度，而不是行人感受到的热。有树荫的地方不需要它。</p>\n<p><small>为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。</small></p>\n</body>\n</html>\n",
     "firstLine": 2,
     "start": 295
    },
    "e6": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 1\nMisting at bus stops: a two-week trial\nL. Brandt and P. Vega · Fernbrook Climate Notes, 2023\nAbstract. Two bus stops got mist nozzles for two weeks in July 2023. Passengers felt\ncooler, but the air was cooler only next to the nozzles, and the water use was high.\n1 Trial\nNozzles were mounted at the stops Market Square and Station. They ran from 12:00 to 18:00 when\nthe air was above 30 °C, which was the case on 9 of 14 days. We asked 388 waiting passengers.",
     "firstLine": 1,
     "start": 204
    },
    "e7": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Passengers rated the stops with mist 1.1 points cooler on a scale of seven points. One in six moved\naway from the nozzles, most often because of wet glasses or clothes.\n\f\nWritten for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What the sensors showed\nThe effect on air temperature ended within 3 m of the nozzles. At the edge of the shelter, it was 0.4\n°C, and across the street nothing was measured.\n4 Water and upkeep\nEach stop used 310 litres of water per day. The nozzles clogged twice, because the town's water is\nhard. We do not recommend permanent misting. A tree or a roof at the stop gives shade without",
     "firstLine": 10,
     "start": 298
    },
    "e8": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What the sensors showed\nThe effect on air temperature ended within 3 m of the nozzles. At the edge of the shelter, it was 0.4\n°C, and across the street nothing was measured.\n4 Water and upkeep\nEach stop used 310 litres of water per day. The nozzles clogged twice, because the town's water is\nhard. We do not recommend permanent misting. A tree or a roof at the stop gives shade without\nupkeep of this kind.",
     "firstLine": 13,
     "start": 296
    },
    "e9": {
     "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 1\nPale roofs on two school buildings\nR. Okafor and L. Brandt · Fernbrook Climate Notes, 2022\nAbstract. One of two equal school buildings got a pale roof coating in May 2022. At\nnoon in June, the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler. Street-level air temperature did not change measurably.\n1 The buildings\nThe north and south buildings of Fernbrook School are copies of each other: one storey, flat roof,\ndark bitumen, 640 m² each. The roof of the north building was coated in May 2022. The south\nbuilding stayed dark and serves as",
     "firstLine": 1,
     "start": 290
    },
    "e10": {
     "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
     "text": "are invented. 2\n3 Results outdoors\nTwo sensors on the pavement in front of the buildings showed no difference above their own error\nof 0.2 °C. A roof of one storey is too small, and too far from the pavement, to cool the street.\n4 Cost and durability\nThe coating cost 14 euros per square metre. A patch that was painted on the gymnasium in 2020\nshows how it ages: it had lost a fifth of its reflectance after two winters, mostly to moss and dust.\nWashing brought half of the loss back.\n5 Conclusion\nA pale roof is a measure for the people below it. It is quick, and it needs no space. It does not replace\nshade in the street.",
     "firstLine": 16,
     "start": 295
    },
    "e11": {
     "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
     "text": "Fernbrook School replaced a third of the asphalt of its yard with grass, gravel, and 9 field maples.\nParents and pupils did most of the work on four weekends. The material cost 21,000 euros.</p>\n<h2>Heat</h2>\n<p>At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt next to it.\nAir temperature over the yard fell by 0.7 °C, measured at the height of a child.</p>\n<h2>Rain</h2>\n<p>The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.</p>\n<h2>Use</h2>\n<p>Children spend breaks on the grass side, and the ball games moved to the remaining asphalt. In dry weeks the grass needs\nwater twice.</p>\n<p><small>Written",
     "firstLine": 11,
     "start": 296
    },
    "e12": {
     "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
     "text": "Parents and pupils did most of the work on four weekends. The material cost 21,000 euros.</p>\n<h2>Heat</h2>\n<p>At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt next to it.\nAir temperature over the yard fell by 0.7 °C, measured at the height of a child.</p>\n<h2>Rain</h2>\n<p>The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.</p>\n<h2>Use</h2>\n<p>Children spend breaks on the grass side, and the ball games moved to the remaining asphalt. In dry weeks the grass needs\nwater twice.</p>\n<p><small>Written for the example of Workspace Research. The town, the people, and the figures are invented.</small></p>\n</body>\n</html>\n",
     "firstLine": 12,
     "start": 297
    },
    "e13": {
     "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
     "text": "and A. Moreau · Fernbrook Climate Notes, 2022\nAbstract. Cool air flows down the valley of the Fern on clear nights. We followed it\nwith 14 sensors in August 2022. It lowers the air temperature near the water by 1.6 °C,\nbut a closed row of buildings keeps it out of the centre.\n1 Where the wind goes\nThe wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water. Further away, the effect was below 0.3 °C.\nOn cloudy nights there was no river wind, and no difference between the sensors.\n2 What stops it\nThe warehouses on Quay Street form a closed row of 180 m. Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights. The gap",
     "firstLine": 3,
     "start": 299
    },
    "e14": {
     "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
     "text": "the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water. Further away, the effect was below 0.3 °C.\nOn cloudy nights there was no river wind, and no difference between the sensors.\n2 What stops it\nThe warehouses on Quay Street form a closed row of 180 m. Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights. The gap at the old weighbridge, 12 m\nwide, lets it through: sensors in its line were 0.9 °C cooler than their neighbours.\n\f\nWritten for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What follows\nTwo of the warehouses are empty. If the town replaced one",
     "firstLine": 8,
     "start": 293
    },
    "e15": {
     "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
     "text": "Square, the wind was not found on any of 17 clear nights. The gap at the old weighbridge, 12 m\nwide, lets it through: sensors in its line were 0.9 °C cooler than their neighbours.\n\f\nWritten for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What follows\nTwo of the warehouses are empty. If the town replaced one of them with an open yard, the river\nwind could reach Market Square. We expect a nightly effect between 0.5 and 1 °C there, as at the\nweighbridge, but we have not modelled it.\nNew buildings on the riverside should leave gaps of at least 12 m in the direction of the valley.",
     "firstLine": 13,
     "start": 298
    },
    "e16": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "Research. The town, the people, and the figures are invented. 1\nStreet trees and afternoon air temperature in Fernbrook\nA. Moreau and T. Lindqvist · Fernbrook Climate Notes, 2021\nAbstract. We measured air temperature at 1.5 m height in five streets of a small town on\nfive clear days in July 2021. Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00. The difference depends on how much of the street the crowns\ncover, and it disappears after sunset.\n1 Introduction\nFernbrook has 9,400 residents and no weather station of its own. Its main street was widened in\n1974, and the lime trees on both sides were felled. Since then, residents have asked for",
     "firstLine": 1,
     "start": 298
    },
    "e17": {
     "fileHash": "e0735b9990d5d524fde111264262e11cbc609a57dadf41f8035474fb05693ad5",
     "text": "# Hot days in Fernbrook: what residents say\n\n*T. Lindqvist and S. Haddad · Fernbrook Climate Notes, 2024*\n\n## Survey\n\nIn September 2023, 212 residents answered a letter about the summer. They are older than the town as a whole: 61 percent are\nover 60.\n\n## Where people don't go\n\nOf 212 residents, 141 avoid the main street after midday in July. The river path is the place that most of them choose\ninstead.\n\n## What they wish for\n\nShade was named more often than any other measure: 128 residents asked for trees, 47 for roofs at bus stops, and 19 for\ndrinking fountains. Only 6 asked for mist.\n\n## Nights\n\nA third of the residents sleep badly",
     "firstLine": 1,
     "start": 279
    },
    "e18": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "the\nasphalt. We can't say where between 40 and 80 percent the effect begins, because no street is in that\nrange.\n\f\n                                                                                                    \n4 Discussion\nThe trees cool by shade and by evaporation. Both end in the evening: at 23:00 the tree-lined streets\nwere no cooler than the open ones. Whoever plans for warm nights needs other measures.\nA new lime tree takes about 15 years to reach a crown of 6 m. The council should therefore plant in\nstreets where crowns can close, and not spread single trees over the town.\n5 Limits\nFive days and five streets are few. Street width, the colour",
     "firstLine": 43,
     "start": 298
    }
   },
   "sections": [
    {
     "questionId": null,
     "heading": "Summary",
     "paragraphs": [
      [
       {
        "text": "At 15:00, air under a closed canopy was 2.4 °C cooler than air over open asphalt.",
        "evidence": [
         "e16"
        ],
        "state": "supported"
       },
       {
        "text": "Of 212 residents, 141 avoid the main street after midday in July.",
        "evidence": [
         "e17"
        ],
        "state": "supported"
       },
       {
        "text": "At 23:00, the tree-lined streets were no cooler than the open ones.",
        "evidence": [
         "e18"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q1",
     "heading": "What cools streets by day?",
     "paragraphs": [
      [
       {
        "text": "Below 40 percent canopy cover, the difference to open asphalt was less than 0.5 °C.",
        "evidence": [
         "e1"
        ],
        "state": "supported"
       },
       {
        "text": "Sections with continuous shade had 38% more pedestrians in the afternoon than sections without.",
        "evidence": [
         "e2"
        ],
        "state": "supported"
       },
       {
        "text": "A new lime tree takes about 15 years to reach a crown of 6 m.",
        "evidence": [
         "e3"
        ],
        "state": "supported"
       }
      ],
      [
       {
        "text": "At noon, pale asphalt was 8.5 °C cooler than dark asphalt.",
        "evidence": [
         "e4"
        ],
        "state": "supported"
       },
       {
        "text": "Of 96 pedestrians, 41 found the reflected light more glaring.",
        "evidence": [
         "e5"
        ],
        "state": "supported"
       },
       {
        "text": "Two bus stops got mist nozzles for two weeks in July 2023.",
        "evidence": [
         "e6"
        ],
        "state": "supported"
       },
       {
        "text": "The effect on air temperature ended within 3 m of the nozzles.",
        "evidence": [
         "e7"
        ],
        "state": "supported"
       },
       {
        "text": "Each stop used 310 litres of water per day.",
        "evidence": [
         "e8"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q2",
     "heading": "What helps in and around buildings?",
     "paragraphs": [
      [
       {
        "text": "The pale roof was 19 °C cooler than the dark roof, and the classroom below it was 1.8 °C cooler.",
        "evidence": [
         "e9"
        ],
        "state": "supported"
       },
       {
        "text": "A patch that was painted on the gymnasium in 2020 had lost a fifth of its reflectance after two winters.",
        "evidence": [
         "e10"
        ],
        "state": "supported"
       },
       {
        "text": "Air temperature over the school yard fell by 0.7 °C.",
        "evidence": [
         "e11"
        ],
        "state": "supported"
       },
       {
        "text": "The yard now holds 70 percent of the rain of a heavy shower.",
        "evidence": [
         "e12"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q3",
     "heading": "What helps at night?",
     "paragraphs": [
      [
       {
        "text": "On clear nights, the river wind lowered the air temperature by 1.6 °C within 200 m of the water.",
        "evidence": [
         "e13"
        ],
        "state": "supported"
       },
       {
        "text": "Behind the warehouses, in Market Square, the wind was not found on any of 17 clear nights.",
        "evidence": [
         "e14"
        ],
        "state": "supported"
       },
       {
        "text": "If the town replaced one of the warehouses with an open yard, a nightly effect between 0.5 and 1 °C is expected there, but it was not modelled.",
        "evidence": [
         "e15"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": null,
     "heading": "About this report",
     "paragraphs": [
      [
       {
        "text": "It was written for this example: no model was asked.",
        "evidence": [],
        "state": "plain"
       },
       {
        "text": "The town, the people, and the figures are invented.",
        "evidence": [],
        "state": "plain"
       }
      ]
     ]
    }
   ],
   "openQuestions": [
    "Where between 40 and 80 percent canopy cover does the cooling begin?",
    "Do tree crowns slow the river wind?"
   ]
  }
 },
 "zh-CN": {
  "name": "示例：夏季高温",
  "folder": "example-zh",
  "turns": [
   {
    "question": "什么措施能让街道在下午降温？降多少？",
    "answer": "15:00 时，封闭树冠下的气温比开阔沥青路面上低 2.4 °C [1]。树冠覆盖率低于 40% 时，与开阔沥青路面的差别小于 0.5 °C [2]。有连续树荫的路段，下午的行人比没有树荫的路段多 38% [3]。\n\n其他措施：\n\n- **校园。** 校园上方的气温下降了 0.7 °C [4]。\n- **浅色路面。** 正午时，浅色路面比深色沥青低 8.5 °C [5]。96 名行人中有 41 人觉得反射的阳光更刺眼 [6]。\n- **喷雾。** 2023 年 7 月，两个公交车站装了两周喷雾嘴 [7]。它对气温的影响在距喷嘴 3 m 之内就消失了 [8]。\n- **浅色屋顶。** 浅色屋顶比深色屋顶低 19 °C，其下的教室低 1.8 °C [9]。街道的气温没有可测的变化 [10]。\n\n*为此示例编写，未调用任何模型。*",
    "citations": [
     {
      "index": 1,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 5,
      "endLine": 6,
      "page": 1,
      "quote": "Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00.",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 2,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 42,
      "endLine": 42,
      "page": 2,
      "quote": "Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C.",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 3,
      "path": "papers/2023-树荫与步行.md",
      "startLine": 11,
      "endLine": 11,
      "quote": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
      "fileHash": "9a98594ad9b39db1d04b865a21240fc678b5b906a9eb6f6542adb3bed6ba279a",
      "verified": true,
      "stale": false
     },
     {
      "index": 4,
      "path": "papers/2023-school-yard.html",
      "startLine": 15,
      "endLine": 15,
      "quote": "Air temperature over the yard fell by 0.7 °C, measured at the height of a child.",
      "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
      "verified": true,
      "stale": false
     },
     {
      "index": 5,
      "path": "papers/2024-浅色路面.html",
      "startLine": 13,
      "endLine": 13,
      "quote": "正午时，浅色路面比深色沥青低 8.5 °C。",
      "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
      "verified": true,
      "stale": false
     },
     {
      "index": 6,
      "path": "papers/2024-浅色路面.html",
      "startLine": 14,
      "endLine": 14,
      "quote": "在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。",
      "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
      "verified": true,
      "stale": false
     },
     {
      "index": 7,
      "path": "papers/2023-misting.pdf",
      "startLine": 4,
      "endLine": 4,
      "page": 1,
      "quote": "Two bus stops got mist nozzles for two weeks in July 2023.",
      "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
      "verified": true,
      "stale": false
     },
     {
      "index": 8,
      "path": "papers/2023-misting.pdf",
      "startLine": 15,
      "endLine": 15,
      "page": 2,
      "quote": "The effect on air temperature ended within 3 m of the nozzles.",
      "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
      "verified": true,
      "stale": false
     },
     {
      "index": 9,
      "path": "papers/2022-pale-roofs.pdf",
      "startLine": 5,
      "endLine": 6,
      "page": 1,
      "quote": "the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler",
      "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
      "verified": true,
      "stale": false
     },
     {
      "index": 10,
      "path": "papers/2022-pale-roofs.pdf",
      "startLine": 6,
      "endLine": 6,
      "page": 1,
      "quote": "Street-level air temperature did not change measurably.",
      "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
      "verified": true,
      "stale": false
     }
    ]
   },
   {
    "question": "这些措施在夜间有用吗？",
    "answer": "23:00 时，有树的街道并不比开阔的街道凉快 [1]。\n\n晴朗的夜晚，在离水 200 m 之内，河风使气温下降 1.6 °C [2]。在 17 个晴朗的夜晚，仓库后面都没有测到风 [3]。\n\n*为此示例编写，未调用任何模型。*",
    "citations": [
     {
      "index": 1,
      "path": "papers/2021-street-trees.pdf",
      "startLine": 49,
      "endLine": 50,
      "page": 3,
      "quote": "at 23:00 the tree-lined streets\nwere no cooler than the open ones",
      "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
      "verified": true,
      "stale": false
     },
     {
      "index": 2,
      "path": "papers/2022-night-wind.pdf",
      "startLine": 8,
      "endLine": 9,
      "page": 1,
      "quote": "The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water.",
      "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
      "verified": true,
      "stale": false
     },
     {
      "index": 3,
      "path": "papers/2022-night-wind.pdf",
      "startLine": 12,
      "endLine": 13,
      "page": 1,
      "quote": "Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights.",
      "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
      "verified": true,
      "stale": false
     }
    ]
   }
  ],
  "report": {
   "question": "为应对夏季高温，小镇应当先尝试哪些措施？",
   "plan": {
    "questions": [
     {
      "id": "q1",
      "question": "什么措施能让街道在白天降温？",
      "answeredBy": "测得的气温差别，以及行人的反应。"
     },
     {
      "id": "q2",
      "question": "什么措施对建筑物内外有帮助？",
      "answeredBy": "在学校的测量。"
     },
     {
      "id": "q3",
      "question": "什么措施在夜间有帮助？",
      "answeredBy": "日落之后的测量。"
     }
    ]
   },
   "evidence": [
    {
     "id": "e1",
     "questionId": "q1",
     "claim": "树冠覆盖率低于 40% 时，与开阔沥青路面的差别小于 0.5 °C。",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 42,
     "endLine": 42,
     "quote": "Below 40 percent canopy cover the difference to open asphalt was less than 0.5 °C.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e2",
     "questionId": "q1",
     "claim": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
     "path": "papers/2023-树荫与步行.md",
     "startLine": 11,
     "endLine": 11,
     "quote": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
     "source": {
      "kind": "file",
      "title": "树荫与步行：芬布鲁克的一次计数",
      "authors": [
       "林悦",
       "T. Lindqvist"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e3",
     "questionId": "q1",
     "claim": "树荫中断超过 30 米时，行人会换到马路对面。",
     "path": "papers/2023-树荫与步行.md",
     "startLine": 13,
     "endLine": 13,
     "quote": "树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。",
     "source": {
      "kind": "file",
      "title": "树荫与步行：芬布鲁克的一次计数",
      "authors": [
       "林悦",
       "T. Lindqvist"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e4",
     "questionId": "q1",
     "claim": "正午时，浅色路面比深色沥青低 8.5 °C。",
     "path": "papers/2024-浅色路面.html",
     "startLine": 13,
     "endLine": 13,
     "quote": "正午时，浅色路面比深色沥青低 8.5 °C。",
     "source": {
      "kind": "file",
      "title": "浅色路面的一个夏天",
      "authors": [
       "林悦",
       "P. Vega"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e5",
     "questionId": "q1",
     "claim": "96 名行人中，有 41 人觉得反射的阳光更刺眼。",
     "path": "papers/2024-浅色路面.html",
     "startLine": 14,
     "endLine": 14,
     "quote": "在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。",
     "source": {
      "kind": "file",
      "title": "浅色路面的一个夏天",
      "authors": [
       "林悦",
       "P. Vega"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e6",
     "questionId": "q1",
     "claim": "2023 年 7 月，两个公交车站装了两周喷雾嘴。",
     "path": "papers/2023-misting.pdf",
     "startLine": 4,
     "endLine": 4,
     "quote": "Two bus stops got mist nozzles for two weeks in July 2023.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e7",
     "questionId": "q1",
     "claim": "对气温的影响在距喷嘴 3 m 之内就消失了。",
     "path": "papers/2023-misting.pdf",
     "startLine": 15,
     "endLine": 15,
     "quote": "The effect on air temperature ended within 3 m of the nozzles.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e8",
     "questionId": "q1",
     "claim": "每个车站每天用水 310 升。",
     "path": "papers/2023-misting.pdf",
     "startLine": 18,
     "endLine": 18,
     "quote": "Each stop used 310 litres of water per day.",
     "page": 2,
     "source": {
      "kind": "file",
      "title": "Misting at bus stops: a two-week trial",
      "authors": [
       "L. Brandt",
       "P. Vega"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e9",
     "questionId": "q2",
     "claim": "浅色屋顶比深色屋顶低 19 °C，其下的教室低 1.8 °C。",
     "path": "papers/2022-pale-roofs.pdf",
     "startLine": 5,
     "endLine": 6,
     "quote": "the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Pale roofs on two school buildings",
      "authors": [
       "R. Okafor",
       "L. Brandt"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e10",
     "questionId": "q2",
     "claim": "校园上方的气温下降了 0.7 °C。",
     "path": "papers/2023-school-yard.html",
     "startLine": 15,
     "endLine": 15,
     "quote": "Air temperature over the yard fell by 0.7 °C, measured at the height of a child.",
     "source": {
      "kind": "file",
      "title": "A school yard without asphalt",
      "authors": [
       "P. Vega",
       "R. Okafor"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e11",
     "questionId": "q2",
     "claim": "校园现在能留住一场大雨中 70% 的雨水。",
     "path": "papers/2023-school-yard.html",
     "startLine": 17,
     "endLine": 17,
     "quote": "The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.",
     "source": {
      "kind": "file",
      "title": "A school yard without asphalt",
      "authors": [
       "P. Vega",
       "R. Okafor"
      ],
      "year": 2023
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e12",
     "questionId": "q3",
     "claim": "晴朗的夜晚，在离水 200 m 之内，河风使气温下降 1.6 °C。",
     "path": "papers/2022-night-wind.pdf",
     "startLine": 8,
     "endLine": 9,
     "quote": "The wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Night wind along the river path",
      "authors": [
       "S. Haddad",
       "A. Moreau"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e13",
     "questionId": "q3",
     "claim": "在 17 个晴朗的夜晚，仓库后面都没有测到风。",
     "path": "papers/2022-night-wind.pdf",
     "startLine": 12,
     "endLine": 13,
     "quote": "Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Night wind along the river path",
      "authors": [
       "S. Haddad",
       "A. Moreau"
      ],
      "year": 2022
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e14",
     "questionId": "q1",
     "claim": "15:00 时，封闭树冠下的气温比开阔沥青路面上低 2.4 °C。",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 5,
     "endLine": 6,
     "quote": "Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00.",
     "page": 1,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e15",
     "questionId": "q1",
     "claim": "在 212 名居民中，有 141 人在 7 月份的午后避开主街。",
     "path": "papers/2024-residents.md",
     "startLine": 12,
     "endLine": 12,
     "quote": "Of 212 residents, 141 avoid the main street after midday in July.",
     "source": {
      "kind": "file",
      "title": "Hot days in Fernbrook: what residents say",
      "authors": [
       "T. Lindqvist",
       "S. Haddad"
      ],
      "year": 2024
     },
     "verified": true,
     "supports": "yes"
    },
    {
     "id": "e16",
     "questionId": "q1",
     "claim": "23:00 时，有树的街道并不比开阔的街道凉快。",
     "path": "papers/2021-street-trees.pdf",
     "startLine": 49,
     "endLine": 50,
     "quote": "at 23:00 the tree-lined streets\nwere no cooler than the open ones",
     "page": 3,
     "source": {
      "kind": "file",
      "title": "Street trees and afternoon air temperature in Fernbrook",
      "authors": [
       "A. Moreau",
       "T. Lindqvist"
      ],
      "year": 2021
     },
     "verified": true,
     "supports": "yes"
    }
   ],
   "extracts": {
    "e1": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "85 31.6 23.4\nChurch Lane 80 31.9 23.5\nStation Road 35 33.8 23.4\nMill Road 0 34.0 23.4\nMarket Square 0 34.3 23.5\nTable 1. Mean air temperature in five streets, 12 to 16 July 2021.\nAlder Church Station Mill Market\n0\n10\n20\n30\n°C\nFigure 1. Mean air temperature at 15:00.\n3.1 How much cover is enough\nBelow 40 percent canopy cover the difference to open asphalt was less than 0.5 °C. Station Road\nhas 35 percent, from 22 young maples: its crowns do not touch, and the sun reaches most of the\nasphalt. We can't say where between 40 and 80 percent the effect begins, because no street is in that\nrange.",
     "firstLine": 28,
     "start": 296
    },
    "e2": {
     "fileHash": "9a98594ad9b39db1d04b865a21240fc678b5b906a9eb6f6542adb3bed6ba279a",
     "text": "# 树荫与步行：芬布鲁克的一次计数\n\n*林悦、T. Lindqvist · Fernbrook Climate Notes，2023*\n\n## 方法\n\n2023 年 7 月，我们在六个晴天的 14:00 至 17:00 统计了四个路段的行人。两个路段有连续的树荫，另外两个没有。\n\n## 结果\n\n有连续树荫的路段，下午的行人比没有树荫的路段多 38%。差别在 32 °C 以上的日子里最大，在 26 °C 以下的日子里消失。\n\n树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。\n\n## 讨论\n\n连续比数量更重要。同样多的树，种成一条连续的树荫，比分散种植更有用。\n\n---\n\n为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。\n",
     "firstLine": 1,
     "start": 148
    },
    "e3": {
     "fileHash": "9a98594ad9b39db1d04b865a21240fc678b5b906a9eb6f6542adb3bed6ba279a",
     "text": "# 树荫与步行：芬布鲁克的一次计数\n\n*林悦、T. Lindqvist · Fernbrook Climate Notes，2023*\n\n## 方法\n\n2023 年 7 月，我们在六个晴天的 14:00 至 17:00 统计了四个路段的行人。两个路段有连续的树荫，另外两个没有。\n\n## 结果\n\n有连续树荫的路段，下午的行人比没有树荫的路段多 38%。差别在 32 °C 以上的日子里最大，在 26 °C 以下的日子里消失。\n\n树荫中断超过 30 米时，行人会换到马路对面，或者改走河边小路。\n\n## 讨论\n\n连续比数量更重要。同样多的树，种成一条连续的树荫，比分散种植更有用。\n\n---\n\n为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。\n",
     "firstLine": 1,
     "start": 214
    },
    "e4": {
     "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
     "text": "<!doctype html>\n<html lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n<title>浅色路面的一个夏天</title>\n</head>\n<body>\n<h1>浅色路面的一个夏天</h1>\n<p><em>林悦、P. Vega · Fernbrook Climate Notes，2024</em></p>\n<h2>试验</h2>\n<p>2024 年 5 月，磨坊路的一段 120 米长的路面改铺为浅色沥青，相邻的一段保持不变。</p>\n<h2>结果</h2>\n<p>正午时，浅色路面比深色沥青低 8.5 °C。路面上方 1.5 米处的气温只低 0.3 °C。</p>\n<p>在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。</p>\n<h2>结论</h2>\n<p>浅色路面降低的是路面温度，而不是行人感受到的热。有树荫的地方不需要它。</p>\n<p><small>为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。</small></p>\n</body>\n</html>\n",
     "firstLine": 1,
     "start": 263
    },
    "e5": {
     "fileHash": "3a43d85718bc781255586daebc03bdd99316ef6f0bc39e27476458f03cfc7f7e",
     "text": "lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">\n<title>浅色路面的一个夏天</title>\n</head>\n<body>\n<h1>浅色路面的一个夏天</h1>\n<p><em>林悦、P. Vega · Fernbrook Climate Notes，2024</em></p>\n<h2>试验</h2>\n<p>2024 年 5 月，磨坊路的一段 120 米长的路面改铺为浅色沥青，相邻的一段保持不变。</p>\n<h2>结果</h2>\n<p>正午时，浅色路面比深色沥青低 8.5 °C。路面上方 1.5 米处的气温只低 0.3 °C。</p>\n<p>在 96 名受访行人中，有 41 人觉得反射的阳光更刺眼。</p>\n<h2>结论</h2>\n<p>浅色路面降低的是路面温度，而不是行人感受到的热。有树荫的地方不需要它。</p>\n<p><small>为 Workspace Research 的示例而写。城镇、人物和数字均为虚构。</small></p>\n</body>\n</html>\n",
     "firstLine": 2,
     "start": 295
    },
    "e6": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 1\nMisting at bus stops: a two-week trial\nL. Brandt and P. Vega · Fernbrook Climate Notes, 2023\nAbstract. Two bus stops got mist nozzles for two weeks in July 2023. Passengers felt\ncooler, but the air was cooler only next to the nozzles, and the water use was high.\n1 Trial\nNozzles were mounted at the stops Market Square and Station. They ran from 12:00 to 18:00 when\nthe air was above 30 °C, which was the case on 9 of 14 days. We asked 388 waiting passengers.",
     "firstLine": 1,
     "start": 204
    },
    "e7": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Passengers rated the stops with mist 1.1 points cooler on a scale of seven points. One in six moved\naway from the nozzles, most often because of wet glasses or clothes.\n\f\nWritten for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What the sensors showed\nThe effect on air temperature ended within 3 m of the nozzles. At the edge of the shelter, it was 0.4\n°C, and across the street nothing was measured.\n4 Water and upkeep\nEach stop used 310 litres of water per day. The nozzles clogged twice, because the town's water is\nhard. We do not recommend permanent misting. A tree or a roof at the stop gives shade without",
     "firstLine": 10,
     "start": 298
    },
    "e8": {
     "fileHash": "940866b79c0737300ee3cdf6464554591a1ecfc57957ace404c831784608313d",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What the sensors showed\nThe effect on air temperature ended within 3 m of the nozzles. At the edge of the shelter, it was 0.4\n°C, and across the street nothing was measured.\n4 Water and upkeep\nEach stop used 310 litres of water per day. The nozzles clogged twice, because the town's water is\nhard. We do not recommend permanent misting. A tree or a roof at the stop gives shade without\nupkeep of this kind.",
     "firstLine": 13,
     "start": 296
    },
    "e9": {
     "fileHash": "58bc56829c60ef2fb2528d2ea8e18e202eba7a4c9acb7bb6f8eefe1365e55768",
     "text": "Written for the example of Workspace Research. The town, the people, and the figures are invented. 1\nPale roofs on two school buildings\nR. Okafor and L. Brandt · Fernbrook Climate Notes, 2022\nAbstract. One of two equal school buildings got a pale roof coating in May 2022. At\nnoon in June, the pale roof was 19 °C cooler than the dark roof, and the classroom below\nit was 1.8 °C cooler. Street-level air temperature did not change measurably.\n1 The buildings\nThe north and south buildings of Fernbrook School are copies of each other: one storey, flat roof,\ndark bitumen, 640 m² each. The roof of the north building was coated in May 2022. The south\nbuilding stayed dark and serves as",
     "firstLine": 1,
     "start": 290
    },
    "e10": {
     "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
     "text": "Fernbrook School replaced a third of the asphalt of its yard with grass, gravel, and 9 field maples.\nParents and pupils did most of the work on four weekends. The material cost 21,000 euros.</p>\n<h2>Heat</h2>\n<p>At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt next to it.\nAir temperature over the yard fell by 0.7 °C, measured at the height of a child.</p>\n<h2>Rain</h2>\n<p>The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.</p>\n<h2>Use</h2>\n<p>Children spend breaks on the grass side, and the ball games moved to the remaining asphalt. In dry weeks the grass needs\nwater twice.</p>\n<p><small>Written",
     "firstLine": 11,
     "start": 296
    },
    "e11": {
     "fileHash": "5f017ff380d7c1e69fc86bcb0438eb781d2ae00b4304c04058ca1abaa638bfae",
     "text": "Parents and pupils did most of the work on four weekends. The material cost 21,000 euros.</p>\n<h2>Heat</h2>\n<p>At 16:00 on hot days, the new surface was 11 °C cooler than the asphalt next to it.\nAir temperature over the yard fell by 0.7 °C, measured at the height of a child.</p>\n<h2>Rain</h2>\n<p>The yard now holds 70 percent of the rain of a heavy shower. Before, all of it ran into the sewer.</p>\n<h2>Use</h2>\n<p>Children spend breaks on the grass side, and the ball games moved to the remaining asphalt. In dry weeks the grass needs\nwater twice.</p>\n<p><small>Written for the example of Workspace Research. The town, the people, and the figures are invented.</small></p>\n</body>\n</html>\n",
     "firstLine": 12,
     "start": 297
    },
    "e12": {
     "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
     "text": "and A. Moreau · Fernbrook Climate Notes, 2022\nAbstract. Cool air flows down the valley of the Fern on clear nights. We followed it\nwith 14 sensors in August 2022. It lowers the air temperature near the water by 1.6 °C,\nbut a closed row of buildings keeps it out of the centre.\n1 Where the wind goes\nThe wind starts about two hours after sunset and follows the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water. Further away, the effect was below 0.3 °C.\nOn cloudy nights there was no river wind, and no difference between the sensors.\n2 What stops it\nThe warehouses on Quay Street form a closed row of 180 m. Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights. The gap",
     "firstLine": 3,
     "start": 299
    },
    "e13": {
     "fileHash": "04d9219a669404dc2274d2ee43c1d78c353a90a896fa63a14a42b6e02a183f4b",
     "text": "the river. On clear nights it lowered the air\ntemperature by 1.6 °C within 200 m of the water. Further away, the effect was below 0.3 °C.\nOn cloudy nights there was no river wind, and no difference between the sensors.\n2 What stops it\nThe warehouses on Quay Street form a closed row of 180 m. Behind the warehouses, in Market\nSquare, the wind was not found on any of 17 clear nights. The gap at the old weighbridge, 12 m\nwide, lets it through: sensors in its line were 0.9 °C cooler than their neighbours.\n\f\nWritten for the example of Workspace Research. The town, the people, and the figures are invented. 2\n3 What follows\nTwo of the warehouses are empty. If the town replaced one",
     "firstLine": 8,
     "start": 293
    },
    "e14": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "Research. The town, the people, and the figures are invented. 1\nStreet trees and afternoon air temperature in Fernbrook\nA. Moreau and T. Lindqvist · Fernbrook Climate Notes, 2021\nAbstract. We measured air temperature at 1.5 m height in five streets of a small town on\nfive clear days in July 2021. Air under a closed canopy was 2.4 °C cooler than air over\nopen asphalt at 15:00. The difference depends on how much of the street the crowns\ncover, and it disappears after sunset.\n1 Introduction\nFernbrook has 9,400 residents and no weather station of its own. Its main street was widened in\n1974, and the lime trees on both sides were felled. Since then, residents have asked for",
     "firstLine": 1,
     "start": 298
    },
    "e15": {
     "fileHash": "e0735b9990d5d524fde111264262e11cbc609a57dadf41f8035474fb05693ad5",
     "text": "# Hot days in Fernbrook: what residents say\n\n*T. Lindqvist and S. Haddad · Fernbrook Climate Notes, 2024*\n\n## Survey\n\nIn September 2023, 212 residents answered a letter about the summer. They are older than the town as a whole: 61 percent are\nover 60.\n\n## Where people don't go\n\nOf 212 residents, 141 avoid the main street after midday in July. The river path is the place that most of them choose\ninstead.\n\n## What they wish for\n\nShade was named more often than any other measure: 128 residents asked for trees, 47 for roofs at bus stops, and 19 for\ndrinking fountains. Only 6 asked for mist.\n\n## Nights\n\nA third of the residents sleep badly",
     "firstLine": 1,
     "start": 279
    },
    "e16": {
     "fileHash": "31631a2591200d291b887f4e9585c6d4e2cebc2ffbbce5cad1436c182289c920",
     "text": "the\nasphalt. We can't say where between 40 and 80 percent the effect begins, because no street is in that\nrange.\n\f\n                                                                                                    \n4 Discussion\nThe trees cool by shade and by evaporation. Both end in the evening: at 23:00 the tree-lined streets\nwere no cooler than the open ones. Whoever plans for warm nights needs other measures.\nA new lime tree takes about 15 years to reach a crown of 6 m. The council should therefore plant in\nstreets where crowns can close, and not spread single trees over the town.\n5 Limits\nFive days and five streets are few. Street width, the colour",
     "firstLine": 43,
     "start": 298
    }
   },
   "sections": [
    {
     "questionId": null,
     "heading": "摘要",
     "paragraphs": [
      [
       {
        "text": "15:00 时，封闭树冠下的气温比开阔沥青路面上低 2.4 °C。",
        "evidence": [
         "e14"
        ],
        "state": "supported"
       },
       {
        "text": "在 212 名居民中，有 141 人在 7 月份的午后避开主街。",
        "evidence": [
         "e15"
        ],
        "state": "supported"
       },
       {
        "text": "23:00 时，有树的街道并不比开阔的街道凉快。",
        "evidence": [
         "e16"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q1",
     "heading": "什么措施能让街道在白天降温？",
     "paragraphs": [
      [
       {
        "text": "树冠覆盖率低于 40% 时，与开阔沥青路面的差别小于 0.5 °C。",
        "evidence": [
         "e1"
        ],
        "state": "supported"
       },
       {
        "text": "有连续树荫的路段，下午的行人比没有树荫的路段多 38%。",
        "evidence": [
         "e2"
        ],
        "state": "supported"
       },
       {
        "text": "树荫中断超过 30 米时，行人会换到马路对面。",
        "evidence": [
         "e3"
        ],
        "state": "supported"
       }
      ],
      [
       {
        "text": "正午时，浅色路面比深色沥青低 8.5 °C。",
        "evidence": [
         "e4"
        ],
        "state": "supported"
       },
       {
        "text": "96 名行人中，有 41 人觉得反射的阳光更刺眼。",
        "evidence": [
         "e5"
        ],
        "state": "supported"
       },
       {
        "text": "2023 年 7 月，两个公交车站装了两周喷雾嘴。",
        "evidence": [
         "e6"
        ],
        "state": "supported"
       },
       {
        "text": "对气温的影响在距喷嘴 3 m 之内就消失了。",
        "evidence": [
         "e7"
        ],
        "state": "supported"
       },
       {
        "text": "每个车站每天用水 310 升。",
        "evidence": [
         "e8"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q2",
     "heading": "什么措施对建筑物内外有帮助？",
     "paragraphs": [
      [
       {
        "text": "浅色屋顶比深色屋顶低 19 °C，其下的教室低 1.8 °C。",
        "evidence": [
         "e9"
        ],
        "state": "supported"
       },
       {
        "text": "校园上方的气温下降了 0.7 °C。",
        "evidence": [
         "e10"
        ],
        "state": "supported"
       },
       {
        "text": "校园现在能留住一场大雨中 70% 的雨水。",
        "evidence": [
         "e11"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": "q3",
     "heading": "什么措施在夜间有帮助？",
     "paragraphs": [
      [
       {
        "text": "晴朗的夜晚，在离水 200 m 之内，河风使气温下降 1.6 °C。",
        "evidence": [
         "e12"
        ],
        "state": "supported"
       },
       {
        "text": "在 17 个晴朗的夜晚，仓库后面都没有测到风。",
        "evidence": [
         "e13"
        ],
        "state": "supported"
       }
      ]
     ]
    },
    {
     "questionId": null,
     "heading": "关于这份报告",
     "paragraphs": [
      [
       {
        "text": "它为此示例编写，未调用任何模型。",
        "evidence": [],
        "state": "plain"
       },
       {
        "text": "城镇、人物和数字均为虚构。",
        "evidence": [],
        "state": "plain"
       }
      ]
     ]
    }
   ],
   "openQuestions": [
    "树冠覆盖率在 40% 与 80% 之间的哪一点开始降温？",
    "树冠会减弱河风吗？"
   ]
  }
 }
};
