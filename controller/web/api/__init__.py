"""What programs are told and may say over HTTP."""
