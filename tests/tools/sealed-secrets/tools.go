//go:build tools

// Package tools pins the peer whose files and cluster state we must read and write.
package tools

import (
	_ "github.com/bitnami/sealed-secrets/cmd/controller"
	_ "github.com/bitnami/sealed-secrets/cmd/kubeseal"
)
