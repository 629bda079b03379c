"""Outputs of a table: lights, alerts and metrics, computed from its state once records are durable."""
